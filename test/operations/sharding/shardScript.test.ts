import { Readable } from 'node:stream';
import { runCommand } from '#commands/base/runCommand';
import { migrateCommand } from '#commands/migrate';
import { readZones, shardScript } from '#operations/sharding/shardScript';
import { openTestServices, type TestServices } from '../../support/services';

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());

const secondFrom = '65f0c0ffee0000000000abcd';
const zones = `eu,us:${secondFrom}`;
const script = (text?: string) => shardScript('loyalty', services.resources, text ? (readZones(text) ?? []) : []);
const linesOf = (lines: string[], collection: string) =>
  lines.filter((line) => line.includes(`loyalty.${collection}"`));

test('the zones of a collection follow each other without a gap, from the first org of all to the last', () => {
  expect(linesOf(script(zones), 'members')).toEqual([
    `sh.updateZoneKeyRange("loyalty.members", { org: MinKey() }, { org: ObjectId("${secondFrom}") }, "eu")`,
    `sh.updateZoneKeyRange("loyalty.members", { org: ObjectId("${secondFrom}") }, { org: MaxKey() }, "us")`,
    'sh.shardCollection("loyalty.members", { org: 1 })',
  ]);
  expect(linesOf(script(zones), 'journal')[0]).toBe(
    `sh.updateZoneKeyRange("loyalty.journal", { org: MinKey(), member: MinKey() }, { org: ObjectId("${secondFrom}"), member: MinKey() }, "eu")`,
  );
});

test('without zones there are keys only, and collections that stay whole are not named', () => {
  const lines = script();
  expect(lines.filter((line) => line.includes('updateZoneKeyRange'))).toEqual([]);
  expect(linesOf(lines, 'leases')).toEqual(['sh.shardCollection("loyalty.leases", { _id: 1 })']);
  for (const whole of ['users', 'orgs', 'sessions']) expect(linesOf(lines, whole)).toEqual([]);
});

test('the indexes that it makes are those without which MongoDB refuses a key', async () => {
  const made = script().flatMap((line) => /^db\.(\w+)\.createIndex/.exec(line)?.[1] ?? []);
  const { db } = services;
  const lacking: string[] = [];
  for (const line of script()) {
    const [, collection = '', key = ''] = /^sh\.shardCollection\("loyalty\.(\w+)", \{ (.+) \}\)/.exec(line) ?? [];
    if (!collection) continue;
    const fields = key.split(', ').map((each) => each.replace(': 1', ''));
    const indexes = await db.collection(collection).indexes();
    const serves = indexes.some(
      ({ key: index, partialFilterExpression }) =>
        !partialFilterExpression && fields.every((field, place) => Object.keys(index)[place] === field),
    );
    if (!serves) lacking.push(collection);
  }
  expect(made.length).toBeGreaterThan(3);
  expect(lacking).toEqual(made);
});

test.each([
  '',
  'eu,us',
  `eu:${secondFrom}`,
  'eu,us:1',
  `eu,us:${secondFrom},ap:${secondFrom}`,
  `eu,"us":${secondFrom}`,
  `eu,us:${secondFrom}:x`,
])('zones that are not in the order of orgs are refused: %j', (text) => {
  expect(readZones(text)).toBeUndefined();
});

async function run(...args: string[]) {
  const written = { out: [] as string[], err: [] as string[] };
  const streams = {
    input: Readable.from([]),
    out: (line: string) => void written.out.push(line),
    err: (line: string) => void written.err.push(line),
  };
  const code = await runCommand(migrateCommand(services.config, streams), args, streams);
  return { code, ...written };
}

test('the command prints the lines for the database of the service, or one line that says what is wrong', async () => {
  const { code, out } = await run('shards', '--zones', zones);
  expect(code).toBe(0);
  expect(out[0]).toMatch(/^db = db\.getSiblingDB\("test-/);
  expect(out).toHaveLength(shardScript('x', services.resources, readZones(zones) ?? []).length);
  const refused = await run('shards', '--zones', 'eu,us');
  expect(refused).toMatchObject({ code: 1, out: [], err: [expect.stringContaining('--zones')] });
});

test('an index that only a shard key needs is not listed as unused', async () => {
  const { db } = services;
  await db.collection('limitcounters').createIndex({ org: 1 });
  try {
    expect((await run('indexes')).out).toEqual([]);
  } finally {
    await db.collection('limitcounters').dropIndex('org_1');
  }
});
