import fc from 'fast-check';
import { markRepeated } from '#exchange/imports/run/repeatedKeys';
import { activityApi } from '../../activities/activityApi';
import { scaled, share } from '../../support/scale';
import { earnRule, openWorld, type World } from '../../support/world';
import { importing } from './importing';

let world: World;
let imports: ReturnType<typeof importing>;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  await world.addMember({ loyaltyID: 'M-1' });
  const discount = { type: 'points', value: 30 };
  for (const code of ['CAKE', 'TEA']) {
    const reward = { code, name: code, program: world.program._id, discount };
    expect((await world.server.as('ledger-admin').post('/rewards', reward)).status).toBe(201);
  }
  imports = importing(world);
});
afterAll(() => world.close());

/** What rows of a kind look like: by a key and one of three values, of which the last is refused. */
const kinds: readonly [kind: string, header: string, row: (key: string, value: number) => string][] = [
  ['products', 'sku,name,price', (key, n) => `${key},Tea,${[1, 2, 'x'][n]}`],
  ['locations', 'number,name,status', (key, n) => `${key},Shop,${['Active', 'Closed', 'x'][n]}`],
  [
    'members',
    'loyaltyID,program,firstName,balance:Points',
    (key, n) => `${key},main,${['Mei', 'Kim', 'Lo'][n]},${[5, 5, 7][n]}`,
  ],
  ['accrualitems', 'externalId,loyaltyID,purse,accruedPoints', (key, n) => `${key},M-1,Points,${[5, 6, 'x'][n]}`],
  ['coupons', 'code,loyaltyID,reward', (key, n) => `${key},M-1,${['CAKE', 'TEA', 'NONE'][n]}`],
  ['activities', 'externalTxnId,type,loyaltyID,value', (key, n) => `${key},Accrual,M-1,${[5, 6, 'x'][n]}`],
];

const rowsOf = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 2 })), {
  minLength: 12,
  maxLength: 24,
});

test.each(share(kinds, 2))(
  '%s: a dry run counts like the run, also when a key occurs several times',
  async (kind, header, row) => {
    for (const [n, rows] of fc.sample(rowsOf, scaled(2)).entries()) {
      const lines = rows.map(([key, value]) => row(`${kind}-${n}-${key}`, value));
      const content = [header, ...lines].join('\n');
      const dry = await imports.imported({ kind, content, dryRun: true });
      const run = await imports.imported({ kind, content });
      expect([dry.end, dry.counts]).toEqual([run.end, run.counts]);
      // A second dry run meets what is stored.
      const again = await imports.imported({ kind, content, dryRun: true });
      const rerun = await imports.imported({ kind, content });
      expect([again.counts, again.errors]).toEqual([rerun.counts, rerun.errors]);
      await activityApi(world).drain();
    }
  },
);

test('a key that occurs twice is a warning with both lines, in a dry run too', async () => {
  const content = 'sku,name\nW-1,Tea\nW-2,"a\nb"\nW-1,Tea\n,Tea\nW-2,Tea\nW-1,Tea\n';
  for (const dryRun of [true, false]) {
    const { id } = await imports.imported({ kind: 'products', content, dryRun });
    const { body } = await world.server.as('admin').get(`/imports/${id}`);
    expect([body.warned, body.warnings]).toEqual([
      3,
      [
        { line: 5, earlier: 2, key: 'W-1' },
        { line: 7, earlier: 3, key: 'W-2' },
        { line: 8, earlier: 5, key: 'W-1' },
      ],
    ]);
  }
  const { id } = await imports.imported({ kind: 'products', content: 'sku,name\nW-8,Tea\nW-9,Tea\n' });
  expect((await world.server.as('admin').get(`/imports/${id}`)).body).not.toHaveProperty('warnings');
});

test('the first hundred of many repeated rows are named, and all are counted', async () => {
  const content = `sku,name\n${'H-1,Tea\n'.repeat(700)}`;
  const { id, counts } = await imports.imported({ kind: 'products', content });
  expect(counts).toMatchObject({ rows: 700, created: 1, unchanged: 699 });
  const { body } = await world.server.as('admin').get(`/imports/${id}`);
  expect([body.warned, body.warnings.length, body.warnings[99]]).toEqual([
    699,
    100,
    { line: 102, earlier: 101, key: 'H-1' },
  ]);
});

test('the memory of keys is bounded: the latest 250,000 are remembered at least, and 500,000 at most', async () => {
  const lines: [string, number | undefined][] = [];
  const row = (n: number, line: number) => ({ line, end: 0, kept: undefined, value: { sku: `K-${n}` } });
  async function* rows() {
    for (let n = 1; n <= 600_000; n += 1) yield row(n, n);
    for (const n of [1, 600_000, 400_000]) yield row(n, 700_000 + n);
  }
  for await (const { value, repeats } of markRepeated(rows(), 'sku')) {
    if (repeats || lines.length > 0 || value?.sku === 'x') lines.push([String(value?.sku), repeats?.line]);
  }
  expect(lines).toEqual([
    ['K-600000', 600_000],
    ['K-400000', 400_000],
  ]);
});
