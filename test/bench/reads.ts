import autocannon from 'autocannon';
import type { ObjectId } from 'bson';
import { createOrg } from '#access/users/createOrg';
import { startSession } from '#access/users/startSession';
import { collectionOf } from '#base/db/collections';
import { type SeedSize, seedOrg } from '#operations/seed/seedOrg';
import { accrualItemResource } from '#records/points/accrualItem';
import { userResource } from '#records/users/user';
import type { Services } from '#server/services/services';
import { type BenchWorld, openBenchWorld, type StartedServer } from './benchWorld';
import { type Measurement, openComparison } from './comparison';
import { startFile } from './ordinary/startFile';
import type { Seconds } from './rate';

const connections = 16;

/** The kinds of reads: a name, and the path for one accrual item. */
const reads: [string, (item: Item) => string][] = [
  ['an accrual item by id', ({ _id }) => `/accrualitems/${_id}`],
  ['a member by id', ({ member }) => `/members/${member}`],
  ['accrual items of a member', ({ member }) => `/accrualitems?member=${member}`],
  ['journal of a member', ({ member }) => `/journal?member=${member}`],
  ['activity histories of a member', ({ member }) => `/activityhistories?memberID=${member}`],
  ['statement of a member', ({ member }) => `/members/${member}/statement`],
  ['a history by externalTxnId', ({ activity }) => `/activityhistories?externalTxnId=seed-${activity}`],
  ['accrual items of a member, counted', ({ member }) => `/accrualitems/count?member=${member}`],
  ['accrual items of the org, counted', () => '/accrualitems/count'],
  ['activity histories of the org, counted', () => '/activityhistories/count'],
  ['members of the org, counted', () => '/members/count'],
];

/** The reads that are compared with a bare handler (ordinary/bareReads.ts). */
const comparedReads = ['a member by id', 'statement of a member'];

interface Item {
  _id: ObjectId;
  member: ObjectId;
  activity?: ObjectId;
}

/**
 * Seeds an org of this size and measures reads of its records, 16 at once. Returns one table row for each kind of read.
 */
export async function measureReads(size: SeedSize, seconds: Seconds, say: (line: string) => void): Promise<string[]> {
  const world = await openBenchWorld();
  try {
    say(`seeding ${size.members} members with ${size.items} accrual items`);
    const { token, items } = await seed(world.services, size);
    const rows = [
      `| read, ${connections} connections, ${size.items} items | per second | p50 ms | p99 ms | max ms | failed |`,
      '|---|---:|---:|---:|---:|---:|',
    ];
    const api = await world.startApi();
    for (const [name, pathOf] of reads) {
      say(name);
      rows.push(rowOf(name, await measureRead(api.url, token, seconds, () => pathOf(anyOf(items)))));
    }
    rows.push('', ...(await compareWithBare(world, api, { token, items }, seconds, say)));
    await api.stop();
    return rows;
  } finally {
    await world.close();
  }
}

function anyOf(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (!item) throw new Error('nothing was seeded');
  return item;
}

interface Seeded {
  token: string;
  items: Item[];
}

/** The number of items that are read; too many for a cache to hold all of them by accident. */
const sampled = 20_000;

async function seed(services: Services, size: SeedSize): Promise<Seeded> {
  const { db, clock } = services;
  const now = clock.now();
  const org = await createOrg(db, { code: 'seed', admin: { username: 'seed-admin', password: 'bench password' } }, now);
  await seedOrg(db, org, size, now);
  const user = await collectionOf(db, userResource).findOne({ username: 'seed-admin' });
  if (!user) throw new Error('the admin of a new org exists');
  const items = await collectionOf(db, accrualItemResource)
    .aggregate<Item>([
      { $match: { org: org._id } },
      { $sample: { size: sampled } },
      { $project: { member: 1, activity: 1 } },
    ])
    .toArray();
  return { token: await startSession(services, user, now, 86_400), items };
}

/** Measures two reads in turns with a bare Koa and mongoose handler of the same records. */
async function compareWithBare(
  world: BenchWorld,
  api: StartedServer,
  { token, items }: Seeded,
  seconds: Seconds,
  say: (line: string) => void,
): Promise<string[]> {
  const bare = await startFile('bareReads.ts', { MONGODB_URI: world.services.config.MONGODB_URI ?? '' });
  const compared = openComparison(['bare'], seconds, say);
  for (const [name, pathOf] of reads.filter(([name]) => comparedReads.includes(name))) {
    const readsOf =
      ({ url }: StartedServer): Measurement =>
      async (each) => {
        const result = await measureRead(url, token, each, () => pathOf(anyOf(items)));
        if (result.failures > 0) throw new Error(`${result.failures} reads failed`);
        return result;
      };
    await compared.measure(name, { slices: 3, run: readsOf(api), others: { bare: readsOf(bare) } });
  }
  await bare.stop();
  return compared.table();
}

interface ReadsMeasured {
  perSecond: number;
  p50: number;
  p99: number;
  max: number;
  failures: number;
}

async function measureRead(
  url: string,
  token: string,
  { warmUp, measured }: Seconds,
  pathOf: () => string,
): Promise<ReadsMeasured> {
  const run = (duration: number) =>
    autocannon({
      url,
      connections,
      duration,
      headers: { authorization: `Bearer ${token}` },
      requests: [{ setupRequest: (request) => ({ ...request, path: `/api/v1${pathOf()}` }) }],
    });
  await run(warmUp);
  const { requests, latency, non2xx, errors, timeouts } = await run(measured);
  const { p50, p99, max } = latency;
  return { perSecond: requests.average, p50, p99, max, failures: non2xx + errors + timeouts };
}

function rowOf(name: string, { perSecond, p50, p99, max, failures }: ReadsMeasured): string {
  return `| ${name} | ${Math.round(perSecond)} | ${p50} | ${p99} | ${max} | ${failures} |`;
}
