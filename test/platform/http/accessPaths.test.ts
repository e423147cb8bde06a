import { ObjectId } from 'bson';
import { createInboxDrain } from '#activities/inbox/inboxDrain';
import { dayOn } from '#base/calendar/localCalendar';
import { calendarFields, periods } from '#base/calendar/periods';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { seededMemberId } from '#operations/seed/seededMember';
import { seedOrg } from '#operations/seed/seedOrg';
import { memberResource } from '#records/members/member';
import { type ProfiledRead, readsDuring } from '../../support/profile';
import { handlerOf, routeCases } from '../../support/routeKinds';
import { ofEachKind } from '../../support/scale';
import { openTestServer } from '../../support/server';
import { makeTestOrg } from '../../support/services';

/** The number of records of each of two orgs. A read must examine only a small part of them. */
const size = { members: 200, items: 2000 };
const days = 10;
const metrics = ['pointsEarned', 'visits'];

let server: Awaited<ReturnType<typeof openTestServer>>;
let member: ObjectId;
let lot: { _id: string; activity: string };
beforeAll(async () => {
  server = await openTestServer();
  const { services } = server;
  const other = await makeTestOrg(services, 'other');
  for (const org of [services.org, other.org]) {
    await seedOrg(services.db, org, size, services.clock.now());
    await storeAggregates(org._id);
    await storeAccounts(org._id);
  }
  member = seededMemberId(services.org._id, 7);
  [lot] = (await server.as('admin').get(`/accrualitems?member=${member}`)).body;
});
afterAll(() => server.close());

const memberIds = (org: ObjectId) => Array.from({ length: size.members }, (_unused, n) => seededMemberId(org, n));
const stamps = (org: ObjectId) => newStamps({ org, userId: org }, new Date());

async function storeAggregates(org: ObjectId) {
  for (const { path, fields, name } of periods) {
    const calendars = Array.from({ length: name === 'lifetime' ? 1 : days }, (_unused, n) =>
      calendarFields(dayOn(2016 + n, n + 1, 3 * n + 1)),
    );
    const rows = memberIds(org).flatMap((memberId) =>
      metrics.flatMap((metricName) =>
        calendars.map((calendar) => ({
          ...stamps(org),
          ...Object.fromEntries(fields.map((field) => [field, calendar[field]])),
          metricName,
          memberId,
          metricAggValue: 1,
          mergeIds: [],
          lastAggDate: new Date(),
        })),
      ),
    );
    await server.services.db.collection(path).insertMany(rows);
  }
}

async function storeAccounts(org: ObjectId) {
  const rows = memberIds(org).map((id) => ({
    ...stamps(org),
    members: [{ member: id, program: org }],
    activeMember: id,
    version: 1,
  }));
  await server.services.db.collection('accounts').insertMany(rows);
}

/**
 * Collections that authentication and the lookup of definitions also read; these reads are small and use `_id` or org.
 */
const beside = ['users', 'sessions', 'orgs', 'programs', 'pursepolicies', 'tierpolicies'];

async function readsOf(path: string): Promise<ProfiledRead[]> {
  const reads = await readsDuring(server.services.db, async () => {
    const { status } = await server.as('admin').get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
  });
  return reads.filter(({ collection }) => !beside.includes(collection) || path.startsWith(`/${collection}?`));
}

/** One record by its id, such as the member that a filter names: it may have been merged. */
const isOneById = ({ plan, documents }: ProfiledRead) => plan === 'IXSCAN { _id: 1 }' && documents <= 1;

/** Checks that every read uses an index and examines at most this number of documents, or is of one record by its id. */
function expectCheap(reads: readonly ProfiledRead[], documentsMax: number) {
  expect(reads).not.toEqual([]);
  const dear = reads.filter(
    (read) => read.plan.includes('COLLSCAN') || (read.documents > documentsMax && !isOneById(read)),
  );
  expect(dear).toEqual([]);
}

const query = (filter: object) => `query=${encodeURIComponent(JSON.stringify(filter))}`;
const jan2016 = { year: 2016, month: 1, day: 1, week: 1, quarter: 1, halfYear: 1 };

describe('documented reads use an index and read only what they answer or the member has', () => {
  // A member has 10 items, about 14 journal entries and 12 histories.
  it.each<[string, () => string, number]>([
    ['items by member', () => `/accrualitems?member=${member}`, 10],
    ['items by member, in an order', () => `/accrualitems?member=${member}&sort=-dtEarned&limit=3`, 10],
    ['counting items by member', () => `/accrualitems/count?member=${member}`, 0],
    ['live items by member', () => `/accrualitems?member=${member}&${query({ state: { $in: ['available'] } })}`, 10],
    ['items by activity', () => `/accrualitems?activity=${lot.activity}`, 1],
    ['an item', () => `/accrualitems/${lot._id}`, 1],
    ['journal by member', () => `/journal?member=${member}`, 20],
    ['journal by member and seq', () => `/journal?member=${member}&seq=3`, 1],
    ['journal by member from a seq', () => `/journal?member=${member}&seq=>3&sort=seq&limit=5`, 20],
    ['journal by activity', () => `/journal?activity=${lot.activity}`, 1],
    ['statement', () => `/members/${member}/statement`, 20],
    ['histories by member', () => `/activityhistories?memberID=${member}`, 12],
    ['histories by member and date', () => `/activityhistories?memberID=${member}&sort=-date&limit=3`, 12],
    ['counting histories by member', () => `/activityhistories/count?memberID=${member}`, 0],
    ['a history', () => `/activityhistories/${lot.activity}`, 1],
    ['history by externalTxnId', () => `/activityhistories?externalTxnId=seed-${lot.activity}`, 1],
    ['cancellations of an activity', () => `/activityhistories?originalTxnId=${lot.activity}`, 0],
    ['account of a member', () => `/accounts/member/${member}`, 1],
    ['accounts by member', () => `/accounts?members.member=${member}`, 1],
    ['member by loyaltyID', () => '/members?loyaltyID=SEED-7', 1],
    ['member by any of its loyalty ids', () => '/members?loyaltyIDs=SEED-7', 1],
    ['member by email', () => '/members?email=member-7@seed.example', 1],
    ['member by referral code', () => '/members?referralCode=SEED-R-7', 1],
    ['purses', () => `/members/${member}/purses`, 1],
    ['counting everything', () => '/accrualitems/count', 1],
    ['the first page of everything', () => '/accrualitems?limit=7', 7],
    ['the newest of everything', () => '/journal?sort=-_id&limit=7', 7],
    ['distinct members of items', () => '/accrualitems?distinct=member&limit=7', 0],
  ])('%s', async (_name, path, documentsMax) => {
    expectCheap(await readsOf(path()), documentsMax);
  });

  it.each(periods.map(({ path, key }) => [path, key] as const))(
    '%s by member, metric and period',
    async (path, key) => {
      const period = Object.fromEntries(key.map((field) => [field, jan2016[field]]));
      const one = { memberId: member, metricName: 'visits', ...period };
      // For a lifetime: the document, and the member that may still store the aggregate.
      expectCheap(await readsOf(`/${path}?${query(one)}`), key.length > 0 ? 1 : 2);
      expectCheap(
        await readsOf(`/${path}?${query({ memberId: member, ...period })}`),
        metrics.length + (key.length > 0 ? 0 : 1),
      );
      expectCheap(await readsOf(`/${path}?${query({ memberId: member })}`), metrics.length * days);
      expectCheap(await readsOf(`/${path}/count?${query({ memberId: member })}`), metrics.length);
    },
  );
});

const lists = routeCases(
  ({ method, path, openQuery }) => method === 'GET' && openQuery === true && !/:|\/count$/.test(path),
);

/** Lifetime aggregates are also read from members, and from all of them unless the query names a member. */
const whole: Record<string, object> = { '/lifetimeaggregates': { memberId: { $in: [new ObjectId()] } } };

/** Where the path is not that of the collection. */
const collections: Record<string, string> = { '/rules/proposals': 'ruleproposals' };

describe('the default list of every resource uses an index by org', () => {
  it.each(ofEachKind(lists, handlerOf))('%s', async (_name, { path, query: args }) => {
    const name = collections[path] ?? path.slice(1);
    const records = Array.from({ length: 50 }, (_unused, n) => bareRecord(name, n));
    await server.services.db.collection(name).insertMany(records);
    const filter = args?.query?.required ? `&${query(whole[path] ?? { metricName: { $ne: 'none' } })}` : '';
    const [read, ...others] = (await readsOf(`${path}?limit=5${filter}`)).filter(
      ({ collection }) => collection === name || collection === 'alllifetimeaggregates',
    );
    expect(others).toEqual([]);
    expect(read?.plan).toMatch(/^IXSCAN \{ org: 1, /);
    expect(read?.documents).toBeLessThanOrEqual(5);
  });
});

/** A minimal record with its unique keys filled. It belongs to the other org, so it is never answered. */
function bareRecord(path: string, n: number) {
  const { resources } = server.services;
  const unique = resources
    .filter((each) => each.path === path)
    .flatMap(({ indexes }) => indexes.filter((i) => i.unique));
  const keys = unique.flatMap((index) => Object.keys(index.keys)).filter((key) => key !== 'org');
  return { ...Object.fromEntries(keys.map((key) => [key.split('.')[0], `bare ${n}`])), ...stamps(new ObjectId()) };
}

describe('timers and workers use an index and read only what is due', () => {
  it('in sweeps of due members', async () => {
    const { db, org } = server.services;
    const due = memberIds(org._id).slice(20, 23);
    await collectionOf(db, memberResource).updateMany({ _id: { $in: due } }, { $set: { nextDue: new Date(0) } });
    const reads = await readsDuring(db, () => server.as('admin').post('/jobs/expiry/run'));
    const found = reads.filter(({ collection }) => collection === 'members' || collection === 'accrualitems');
    expectCheap(found, due.length * 10);
  });

  it('in pages of the inbox and of the roll-up', async () => {
    const { db } = server.services;
    const body = memberIds(server.services.org._id).map((id) => ({ type: 'Accrual', memberID: id, value: 1 }));
    await server.as('client').post('/activities/bulk?async=true', body);
    const inbox = createInboxDrain(server.services);
    const drained = await readsDuring(db, () => inbox.drain());
    await inbox.close();
    expectCheap(
      drained.filter(({ collection }) => collection === 'submissions'),
      body.length,
    );
    const rolled = await readsDuring(db, () => server.as('admin').post('/jobs/aggregates/run'));
    const pages = rolled.filter(({ collection }) => /aggregates$|metricevents|members/.test(collection));
    expectCheap(pages, 1000);
  });
});
