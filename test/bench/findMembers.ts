import autocannon from 'autocannon';
import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { prepareCollections } from '#base/db/prepareCollections';
import { readableFields } from '#base/query/fields';
import { parseQuery } from '#base/query/parseQuery';
import { ofOrg } from '#base/query/read/read';
import { memberKeys } from '#records/members/find/memberKeys';
import { type Member, memberResource } from '#records/members/member';
import { type BenchWorld, openBenchWorld } from './benchWorld';
import type { Seconds } from './rate';

const connections = 16;

/** The arguments of `GET /members`, or the id of the member to read. */
type Asked = Record<string, string> | ObjectId;

/** What is known of the n-th member. */
type Person = ReturnType<typeof personOf>;

/** The ways to find a member: a name, and the arguments of `GET /members` for one person. */
const ways: [string, (person: Person) => Asked][] = [
  ['a member by id, to compare', ({ _id }) => _id],
  ['`loyaltyID=`', ({ loyaltyID }) => ({ loyaltyID })],
  ['`phone=`, international', ({ phone }) => ({ phone: phone.replace('+', '00') })],
  ['`phone=`, as within the country', ({ phone }) => ({ phone: phone.replace('+49 ', '0') })],
  ['`email=`, in capitals', ({ email }) => ({ email: email.toUpperCase() })],
  ['`lastName=`, 20 of them', ({ lastName }) => ({ lastName: lastName.toLowerCase(), limit: '20' })],
  [
    '`lastName=~^` three letters, 20 of them',
    ({ lastName }) => ({ lastName: `~^${lastName.slice(0, 3)}`, limit: '20' }),
  ],
  ['`search=` first and last name', ({ firstName, lastName }) => ({ search: `${firstName} ${lastName}`, limit: '20' })],
  [
    '`search=` four letters of each',
    ({ firstName, lastName }) => ({ search: `${lastName.slice(0, 4)} ${firstName.slice(0, 4)}`, limit: '20' }),
  ],
  ['`search=` three letters, 20 of them', ({ firstName }) => ({ search: firstName.slice(0, 3), limit: '20' })],
  ['`search=` e-mail', ({ email }) => ({ search: email })],
  ['`search=` phone', ({ phone }) => ({ search: phone })],
];

/**
 * Stores members with names that are as unevenly frequent as those of people, and finds them, 16 requests at once.
 * Returns one table row for each way.
 */
export async function measureFindMembers(
  count: number,
  seconds: Seconds,
  say: (line: string) => void,
): Promise<string[]> {
  const world = await openBenchWorld();
  try {
    await storeMembers(world, count, say);
    const api = await world.startApi();
    const rows = [
      `| way, ${count} members, ${connections} connections | per second | p50 ms | p99 ms | failed | answered | keys examined | members examined |`,
      '|---|---:|---:|---:|---:|---:|---:|---:|',
    ];
    for (const [name, askedOf] of ways) {
      say(name);
      const next = () => askedOf(personOf(Math.floor(Math.random() * count)));
      const measured = await measure(api.url, world.token, seconds, next);
      rows.push(`| ${name} | ${measured} | ${await examined(world, next)} |`);
    }
    await api.stop();
    return rows;
  } finally {
    await world.close();
  }
}

const batchSize = 5000;

async function storeMembers({ services, org }: BenchWorld, count: number, say: (line: string) => void) {
  const collection = collectionOf(services.db, memberResource);
  const model = await collection.findOne({ org });
  if (!model) throw new Error('the bench has members');
  say(`storing ${count} members`);
  // Making the indexes afterwards takes a fraction of the time.
  await collection.dropIndexes();
  for (let from = 0; from < count; from += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - from) }, (_unused, n) => memberOf(model, from + n));
    await collection.insertMany(rows, { ordered: false });
    if (from % 100_000 === 0) say(`${from}`);
  }
  say('making indexes');
  await prepareCollections(services.db, [memberResource]);
  const { storageSize, totalIndexSize, indexSizes } = await collection
    .aggregate<{ storageStats: { storageSize: number; totalIndexSize: number; indexSizes: Record<string, number> } }>([
      { $collStats: { storageStats: {} } },
    ])
    .toArray()
    .then(([stats]) => stats?.storageStats ?? { storageSize: 0, totalIndexSize: 0, indexSizes: {} });
  say(`members ${storageSize} bytes, indexes ${totalIndexSize} bytes: ${JSON.stringify(indexSizes)}`);
}

function memberOf(model: Member, n: number): Member {
  const person = personOf(n);
  const own = { ...person, loyaltyIDs: [person.loyaltyID] };
  return { ...model, ...own, referralCode: `FIND-R-${n}`, searchKeys: memberKeys(own) };
}

function personOf(n: number) {
  const [firstName, lastName] = [nameOf(rank(n, 400, 1)), nameOf(400 + rank(n, 3000, 2))];
  const phone = `+49 ${15_000_000_000 + n * 7919}`;
  const _id = ObjectId.createFromHexString(n.toString(16).padStart(8, '0').padStart(24, '6'));
  return {
    _id,
    loyaltyID: `FIND-${n}`,
    firstName,
    lastName,
    phone,
    email: `${firstName}.${lastName}.${n}@Example.com`,
  };
}

/** One of `names` ranks; the first has a share of the square root of 1/names, and later ones have less and less. */
function rank(n: number, names: number, seed: number): number {
  const hashed = Math.imul(n + 1, 2_654_435_761 + 2 * seed) ^ Math.imul(n + seed, 40_503);
  return Math.floor(names * ((hashed >>> 0) / 2 ** 32) ** 2);
}

const syllables = ['ma', 'ri', 'an', 'na', 'le', 'on', 'jo', 'ber', 'ka', 'tha', 'sch', 'mi', 'el', 'so', 'fi', 'wer'];

/** The name of a rank: three to five syllables, no two ranks alike. */
function nameOf(place: number): string {
  let [left, name] = [place + syllables.length ** 2, ''];
  while (left > 0) {
    name += syllables[left % syllables.length];
    left = Math.floor(left / syllables.length);
  }
  return name.charAt(0).toUpperCase() + name.slice(1);
}

async function measure(url: string, token: string, { warmUp, measured }: Seconds, next: () => Asked): Promise<string> {
  const run = (duration: number) =>
    autocannon({
      url,
      connections,
      duration,
      headers: { authorization: `Bearer ${token}` },
      requests: [{ setupRequest: (request) => ({ ...request, path: `/api/v1/members${pathOf(next())}` }) }],
    });
  await run(warmUp);
  const { requests, latency, non2xx, errors, timeouts } = await run(measured);
  const failures = non2xx + errors + timeouts;
  return `${Math.round(requests.average)} | ${latency.p50} | ${latency.p99} | ${failures}`;
}

function pathOf(requested: Asked): string {
  return requested instanceof ObjectId ? `/${requested}` : `?${new URLSearchParams(requested)}`;
}

const explained = 50;

/** The mean numbers of members answered, and of index keys and members that the database examined for them. */
async function examined({ services, org }: BenchWorld, next: () => Asked): Promise<string> {
  const sums = [0, 0, 0];
  for (let n = 0; n < explained; n += 1) {
    const sought = next();
    const args = sought instanceof ObjectId ? { _id: sought.toHexString() } : sought;
    const requested = parseQuery(args, readableFields(memberResource), { search: memberResource.search?.filterOf });
    const { executionStats } = await collectionOf(services.db, memberResource)
      .find(ofOrg(org, requested.filter))
      .sort(requested.sort)
      .limit(requested.limit)
      .explain('executionStats');
    const { nReturned, totalKeysExamined, totalDocsExamined } = executionStats;
    if (nReturned === 0) throw new Error('a member of the bench was not found');
    for (const [index, value] of [nReturned, totalKeysExamined, totalDocsExamined].entries()) {
      sums[index] = (sums[index] ?? 0) + value;
    }
  }
  return sums.map((sum) => (sum / explained).toFixed(1)).join(' | ');
}
