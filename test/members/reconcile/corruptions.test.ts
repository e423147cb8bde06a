import assert from 'node:assert';
import { ObjectId } from 'bson';
import type { mongo } from 'mongoose';
import { derivedId } from '#base/db/records';
import { reconcile } from '#members/reconcile/reconcile';
import type { Member } from '#records/members/member';
import { databaseOf } from '../../support/stores';
import { openVariedWorld, type VariedWorld } from './variedWorld';

/** Each row changes what is stored, as a fault or a change by hand would. The change is found, and nothing else is. */
let varied: VariedWorld;
let member: Member;
let other: Member;
/** Activities of the member: an award, one with a budget, one with a coupon, one that issued a reward. */
let ids: Record<'earned' | 'budgeted' | 'coupon' | 'issued' | 'spent' | 'pooled', ObjectId>;

type Rows = mongo.Collection;

const rowsOf = (path: string): Rows => databaseOf(varied.world.services.db).collection(path);

beforeAll(async () => {
  varied = await openVariedWorld();
  const { world, act } = varied;
  [member, other] = [await varied.addMember(), await varied.addMember()];
  const made = async (rule: string, value: number, fields: object = {}) =>
    new ObjectId(await act(member._id, rule, value, fields));
  ids = {
    earned: await made('earn', 400, { externalTxnId: 'earned' }),
    budgeted: await made('bonus', 50),
    coupon: await made('earn', 10, { couponCode: 'TEN' }),
    issued: await made('issue', 1),
    spent: await made('spend', 30),
    pooled: await made('pooled', 60),
  };
  await made('count', 1);
  await act(other._id, 'earn', 120);
  await varied.acting.post({ type: 'Accrual', memberID: other._id, value: 9, externalTxnId: 'waits' }, '?async=true');
  const members = [{ member: member._id, program: world.program._id }];
  expect((await world.server.as('client').post('/accounts', { members })).status).toBe(201);
  await varied.runTimers();
  // What has ended is in its collection, and what came since is not rolled up and has no numbers.
  world.services.clock.advance(10 * 86_400_000);
  await varied.runTimers();
  await made('held', 70);
});

afterAll(() => varied.world.close());

async function found(): Promise<string[]> {
  const messages: string[] = [];
  const { org } = varied.world.author;
  await reconcile(varied.world.services, { org, onMismatch: ({ message }) => messages.push(message) });
  return messages;
}

/** Runs `work`, then puts the records of a collection back. */
async function restoring<T>(path: string, work: (rows: Rows) => Promise<T>): Promise<T> {
  const rows = rowsOf(path);
  const before = await rows.find().toArray();
  try {
    return await work(rows);
  } finally {
    await rows.deleteMany({});
    await rows.insertMany(before);
  }
}

/** Doubles the record that a filter finds. */
async function double(rows: Rows, filter: object, changes: object = {}): Promise<ObjectId> {
  const row = await rows.findOne(filter);
  assert(row, 'the record is there');
  const _id = new ObjectId();
  await rows.insertOne({ ...row, _id, ...changes }, { ignoreUndefined: true });
  return _id;
}

/** Ids of records that messages may name besides the member. A change of records that are counted also shows in their count. */
type Named = readonly (ObjectId | string)[];
type Corrupt = (rows: Rows) => Promise<Named>;

const updated =
  (filter: () => object, update: object): Corrupt =>
  async (rows) => {
    expect((await rows.updateOne(filter(), update)).modifiedCount).toBe(1);
    return [];
  };
const removed =
  (filter: () => object): Corrupt =>
  async (rows) => {
    expect((await rows.deleteOne(filter())).deletedCount).toBe(1);
    return [];
  };
const doubled =
  (filter: () => object, changes: () => object = () => ({})): Corrupt =>
  async (rows) => [await double(rows, filter(), changes())];
/** The same corruption, with further records that show it. */
const alsoNamed =
  (corrupt: Corrupt, named: () => Promise<Named>): Corrupt =>
  async (rows) => {
    const more = await named();
    return [...(await corrupt(rows)), ...more];
  };

const own = () => ({ _id: member._id });
const ofMember = () => ({ member: member._id });
const entry = (seq: number) => () => ({ member: member._id, seq });
const lot = () => ({ member: member._id, activity: ids.earned });
const history = (name: keyof typeof ids) => () => ({ _id: ids[name] });
const days = (metricName: string) => () => ({ memberId: member._id, metricName });
const pageOfEarned = () => ({ 'events.data.activity': ids.earned });
const named = (activity: keyof typeof ids) => async () => [ids[activity], ...(await countersOf(ids[activity]))];

async function countersOf(activity: ObjectId): Promise<ObjectId[]> {
  const found = await rowsOf('activityhistories').findOne({ _id: activity });
  return (found?.effects.counters ?? []).map(({ id }: { id: ObjectId }) => id);
}

/** A counter that an activity used; the last one is of the coupon. */
const counter = (activity: keyof typeof ids, place: number, update: object): Corrupt => {
  return async (rows) => {
    const id = (await countersOf(ids[activity])).at(place);
    assert(id, 'the activity used a counter');
    return alsoNamed(
      updated(() => ({ _id: id }), update),
      async () => [id],
    )(rows);
  };
};

const pageNamed = async () => {
  const page = await rowsOf('eventpages').findOne(pageOfEarned());
  return [ids.earned, 'event page', `${page?._id}`];
};
const org = () => varied.world.author.org;

const corruptions: [name: string, path: string, corrupt: Corrupt][] = [
  ['an edited balance', 'members', updated(own, { $inc: { 'purses.0.balance': 1 } })],
  ['a lowered seq', 'members', updated(own, { $inc: { seq: -1 } })],
  ['a level that is too high', 'members', updated(own, { $set: { 'tiers.0.level': { name: 'Gold', number: 3 } } })],
  ['a level that is too low', 'members', updated(own, { $set: { 'tiers.0.level': { name: 'Bronze', number: 1 } } })],
  ['a lost level', 'members', updated(own, { $set: { tiers: [], ladders: [] } })],
  ['an edited lifetime aggregate', 'members', updated(own, { $inc: { 'aggregates.0.metricAggValue': 5 } })],
  ['an edited running total', 'members', updated(own, { $inc: { 'keptSums.0.value': 5 } })],
  ['an edited number of purchases', 'members', updated(own, { $inc: { processedAccruals: 1 } })],
  ['a lost due date', 'members', updated(own, { $unset: { nextDue: '' } })],
  ['a deleted journal entry', 'journal', removed(entry(1))],
  ['a doubled journal entry', 'journal', doubled(entry(1), () => ({ seq: 99 }))],
  ['a broken seq', 'journal', updated(entry(2), { $set: { seq: 77 } })],
  ['an edited journal entry', 'journal', updated(entry(1), { $inc: { available: 1 } })],
  ['a deleted lot', 'accrualitems', removed(lot)],
  ['an edited lot', 'accrualitems', updated(lot, { $inc: { burnedPoints: 1 } })],
  ['an orphan lot', 'accrualitems', doubled(lot)],
  ['a lot of nobody', 'accrualitems', doubled(lot, () => ({ member: derivedId('nobody') }))],
  ['a deleted history', 'activityhistories', alsoNamed(removed(history('earned')), named('earned'))],
  ['a doubled history', 'activityhistories', alsoNamed(doubled(history('earned')), named('earned'))],
  [
    'an edited award of a history',
    'activityhistories',
    updated(history('earned'), { $inc: { 'effects.accrued.0.points': 1 } }),
  ],
  [
    'an edited burn of a history',
    'activityhistories',
    updated(history('spent'), { $inc: { 'effects.burned.0.points': 1 } }),
  ],
  [
    'an edited metric of a history',
    'activityhistories',
    updated(history('earned'), { $inc: { 'effects.metrics.0.value': 1 } }),
  ],
  [
    'an edited status of a history',
    'activityhistories',
    alsoNamed(updated(history('earned'), { $set: { status: 'Error' } }), named('earned')),
  ],
  [
    'an edited use in a history',
    'activityhistories',
    alsoNamed(updated(history('budgeted'), { $inc: { 'effects.counters.0.amount': 1 } }), named('budgeted')),
  ],
  [
    'an edited share of a family head',
    'activityhistories',
    alsoNamed(updated(history('pooled'), { $inc: { 'effects.accrued.1.points': 1 } }), async () => [varied.head._id]),
  ],
  ['an edited daily aggregate', 'dailyaggregates', updated(days('spend'), { $inc: { metricAggValue: 1 } })],
  ['a deleted daily aggregate', 'dailyaggregates', removed(days('spend'))],
  ['an edited weekly aggregate', 'weeklyaggregates', updated(days('spend'), { $inc: { metricAggValue: 1 } })],
  ['an edited monthly aggregate', 'monthlyaggregates', updated(days('spend'), { $inc: { metricAggValue: 1 } })],
  ['a deleted monthly aggregate', 'monthlyaggregates', removed(days('visits'))],
  ['an edited yearly aggregate', 'yearaggregates', updated(days('pointsEarned'), { $inc: { metricAggValue: -1 } })],
  [
    'an edited aggregate that has ended',
    'lifetimeaggregates',
    updated(days('stamps'), { $inc: { metricAggValue: 1 } }),
  ],
  [
    'a deleted change of metrics',
    'metricevents',
    alsoNamed(
      removed(() => ({ 'entries.member': member._id })),
      async () => ['records in'],
    ),
  ],
  ['an edited counter of a limit', 'limitcounters', counter('earned', 0, { $inc: { used: 1 } })],
  ['an edited counter of a budget', 'limitcounters', counter('budgeted', 0, { $inc: { used: -1 } })],
  ['an edited number of uses of an offer', 'limitcounters', counter('coupon', -1, { $inc: { used: 1 } })],
  ['an edited number of uses of a reward', 'limitcounters', counter('issued', -1, { $inc: { used: 1 } })],
  [
    'a submission that waits after its processing',
    'submissions',
    alsoNamed(updated(history('earned'), { $set: { status: 'Queued' } }), named('earned')),
  ],
  ['a submission that was lost', 'submissions', doubled(history('earned'), () => ({ key: 'lost' }))],
  [
    'a waiting submission without its request',
    'submissions',
    async (rows) => {
      const waiting = await rows.findOne({ key: 'waits' });
      return alsoNamed(
        updated(() => ({ key: 'waits' }), { $unset: { request: '' } }),
        async () => [`${waiting?._id}`],
      )(rows);
    },
  ],
  ['a deleted page of events', 'eventpages', alsoNamed(removed(pageOfEarned), pageNamed)],
  [
    'a deleted page of events that waits for numbers',
    'eventpages',
    alsoNamed(
      removed(() => ({ waits: true, 'events.member': member._id })),
      async () => ['no event'],
    ),
  ],
  [
    'a doubled page of events',
    'eventpages',
    alsoNamed(
      doubled(pageOfEarned, () => ({ waits: true, first: undefined, last: undefined })),
      pageNamed,
    ),
  ],
  [
    'an event without a commit',
    'eventpages',
    async (rows) => {
      const activity = derivedId('no activity');
      const page = await rows.findOne(pageOfEarned());
      const event = { ...page?.events[0], data: { ...page?.events[0].data, activity } };
      const fields = { events: [event], size: 1, waits: true, first: undefined, last: undefined };
      await rows.insertOne({ ...page, ...fields, _id: new ObjectId() }, { ignoreUndefined: true });
      return [activity];
    },
  ],
  ['an issued reward that nobody used', 'issuedrewards', updated(ofMember, { $set: { status: 'Used' } })],
  [
    'an issued reward of another activity',
    'issuedrewards',
    updated(ofMember, { $set: { activity: derivedId('other') } }),
  ],
  ['a deleted change of a tier', 'tierhistories', removed(ofMember)],
  [
    'an account of a member that does not exist',
    'accounts',
    alsoNamed(
      updated(() => ({}), { $set: { 'members.0.member': derivedId('nobody') } }),
      async () => [derivedId('nobody')],
    ),
  ],
  [
    'an edited count of records',
    'recordcounts',
    alsoNamed(
      updated(() => ({ org: org(), path: 'journal' }), { $inc: { count: 1 } }),
      async () => ['records in journal'],
    ),
  ],
];

test('nothing is found before', async () => {
  expect(await found()).toEqual([]);
});

test.each(corruptions)('%s is found, and named with the member or the record', async (_name, path, corrupt) => {
  const { messages, names } = await restoring(path, async (rows) => {
    const more = await corrupt(rows);
    return {
      messages: await found(),
      names: [member._id, `rows in ${path}`, `records in ${path}`, ...more].map(String),
    };
  });
  expect(messages).not.toEqual([]);
  for (const message of messages) {
    expect(names.filter((name) => message.includes(name))).not.toEqual([]);
    expect(message).not.toContain(other._id.toHexString());
  }
});

test('nothing is found after all of them were mended', async () => {
  expect(await found()).toEqual([]);
});
