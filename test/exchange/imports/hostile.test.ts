import { gzipSync } from 'node:zlib';
import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { runNextImport } from '#exchange/imports/run/runNextImport';
import { reconcile } from '#members/reconcile/reconcile';
import { memberResource } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import { openAlongside } from '../../support/services';
import { openWorld, type World } from '../../support/world';
import { importing } from './importing';

let world: World;
let imports: ReturnType<typeof importing>;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  imports = importing(world);
});
afterAll(() => world.close());

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string))) as Uint8Array<ArrayBuffer>;

test.each([
  ['10,000 columns', `sku,name,${Array.from({ length: 10_000 }, (_unused, n) => `c${n}`).join(',')}\n`, 'maxItems'],
  ['a name of 1 MB', `sku,name,${'x'.repeat(2 ** 20)}\n1,2,3`, 'format'],
  ['a name of 900 KB', `sku,name,${'x'.repeat(900_000)}\n1,2,3`, 'additionalProperties'],
  ['names of prototypes', 'sku,name,constructor,toString\n1,2,3,4', 'additionalProperties'],
  ['a path within a prototype', 'sku,name,ext.a.__proto__.b\n1,2,3', 'additionalProperties'],
  ['a path of 1,000 levels', `sku,name,ext${'.a'.repeat(1000)}\n1,2,3`, 'additionalProperties'],
  ['a quote that is not closed', '"sku,name\n1,2\n', 'format'],
  ['NUL in a name', 'sku,name,ext.a\u0000b\n1,2,3', 'additionalProperties'],
])('a header with %s is refused', async (_what, content, kind) => {
  const { status, body } = await imports.post({ kind: 'products', content });
  expect([status, body.errors?.map((each: { kind: string }) => each.kind)]).toEqual([
    422,
    expect.arrayContaining([kind]),
  ]);
  expect(JSON.stringify(body).length).toBeLessThan(50_000);
});

test('hostile cells fail their row alone, and say why', async () => {
  const rows: [(string | number[])[], RegExp][] = [
    [['NUL-1,a\u0000b,'], /control/],
    [['ESC-1,a\u001bb,'], /control/],
    [['SUR-1,a', [0xed, 0xa0, 0x80], ','], /UTF-8/],
    [['LONG-1,', 'x'.repeat(5000), ','], /name must NOT have/],
    [['EXT-1,Tea,"{""__proto__"":{""a"":1}}"'], /__proto__|ext/],
    [['EXT-2,Tea,"{""$where"":1}"'], /ext/],
    [[`EXT-3,Tea,"${'{""a"":'.repeat(40)}1${'}'.repeat(40)}"`], /ext.*levels|deep|nest/],
    [['EXT-4,Tea,"{""a"":"'], /ext/],
    [['EXT-5,Tea,"{""a"":1e400}"'], /ext/],
  ];
  const content = bytes('sku,name,ext\n', ...rows.flatMap(([cells]) => [...cells, '\n']), 'GOOD-1,Tea,\n');
  const { counts, errors, end } = await imports.imported({ kind: 'products', content });
  const lines = errors.trim().split('\n').slice(1);
  expect({ counts, end, lines: lines.map((line) => line.slice(0, 150)) }).toMatchObject({
    end: 'Done',
    counts: { created: 1, failed: rows.length },
    lines: rows.map(([, why]) => expect.stringMatching(why)),
  });
});

test('texts that are no numbers or dates are refused, and give no points', async () => {
  const cells = [
    '1e400',
    '-1',
    '1e-5',
    '9007199254740993',
    '0x10',
    '1_000',
    '1,5',
    'NaN',
    'Infinity',
    '=1+1',
    ' 5 ',
    '5e0',
  ];
  const rows = cells.map((cell, n) => `NUM-${n},main,"${cell}",`);
  const dates = ['2026-02-30', '2026-13-01', '26-01-01', '01/02/2003', '2026-01-01T00:00:00Z', '0000-00-00'];
  rows.push(...dates.map((date, n) => `DATE-${n},main,,${date}`));
  const content = ['loyaltyID,program,balance:Points,birthDate', ...rows].join('\n');
  const { counts } = await imports.imported({ kind: 'members', content });
  expect(counts).toMatchObject({ created: 1, failed: rows.length - 1 });
  const items = await collectionOf(world.services.db, accrualItemResource).find({}).toArray();
  expect(items.map(({ accruedPoints }) => accruedPoints)).toEqual([5]);
});

test.each([
  ['gzip that is none', bytes('sku,name\nG-1,Tea'), 'gzip', 400],
  ['gzip that breaks off', gzipSync('sku,name\nG-1,Tea').subarray(0, 20), 'gzip', 400],
  ['an unknown encoding', bytes('sku,name\nG-1,Tea'), 'zstd', 415],
])('a body of %s is refused', async (_what, content, encoding, status) => {
  const headers = { 'content-encoding': encoding };
  const sent = { kind: 'products', content: content as Uint8Array<ArrayBuffer>, headers };
  expect((await imports.post(sent)).status).toBe(status);
});

const members = (prefix: string, rows: number) =>
  `loyaltyID,program,balance:Points\n${Array.from({ length: rows }, (_unused, n) => `${prefix}-${n},main,${n + 1}`).join('\n')}`;

test('two imports of one file at once create each row once', async () => {
  const content = members('TWICE', 300);
  const ids: string[] = [];
  for (const _ of [1, 2]) ids.push((await imports.post({ kind: 'members', content })).body._id);
  const other = await openAlongside(world.services);
  await Promise.all([imports.run(), runNextImport(other)]);
  await other.close();
  const [one, two] = await Promise.all(ids.map((id) => imports.read(id)));
  expect([one, two]).toMatchObject([
    { status: 'Done', failed: 0 },
    { status: 'Done', failed: 0 },
  ]);
  expect((one?.created ?? 0) + (two?.created ?? 0)).toBe(300);
  expect((one?.unchanged ?? 0) + (two?.unchanged ?? 0)).toBe(300);
  expect(await collectionOf(world.services.db, memberResource).countDocuments({ loyaltyID: /^TWICE-/ })).toBe(300);
  expect(await reconcile(world.services, { onMismatch: () => undefined })).toMatchObject({ mismatches: 0 });
});

test('a member that is merged or erased in the meantime gets no points of the file', async () => {
  const admin = world.server.as('ledger-admin');
  await imports.imported({ kind: 'members', content: 'loyaltyID,program\nGONE-1,main\nGONE-2,main\nGONE-3,main\n' });
  const idOf = async (id: string) => (await admin.get(`/members?loyaltyID=${id}`)).body[0]._id;
  const [one, two, three] = [await idOf('GONE-1'), await idOf('GONE-2'), await idOf('GONE-3')];
  await admin.post(`/members/${one}/merge`, { memberIds: [two] });
  await admin.delete(`/members/${three}`);
  const content =
    'loyaltyID,program,firstName,balance:Points\nGONE-1,main,Mei,1\nGONE-2,main,Kim,2\nGONE-3,main,Lo,3\n';
  const { counts, errors } = await imports.imported({ kind: 'members', content });
  // The erased person is unknown: the row makes a new member.
  expect(counts).toMatchObject({ created: 1, updated: 1, failed: 1 });
  expect(errors).toMatch(/GONE-2,main,Kim,2/);
  const items = collectionOf(world.services.db, accrualItemResource);
  expect(await items.countDocuments({ member: { $in: [new ObjectId(two), new ObjectId(three)] } })).toBe(0);
  const known = await items.find({ externalId: /GONE/ }).toArray();
  expect(known).toEqual([]);
  expect(await reconcile(world.services, { onMismatch: () => undefined })).toMatchObject({ mismatches: 0 });
});
