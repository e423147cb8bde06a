import type { Member } from '#records/members/member';
import { ruleWhen } from '../support/ruleWhen';
import { openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi, codes } from './activityApi';

type Limit = Record<string, unknown>;

const perDay = { what: 'points', per: 'member', period: 'day' };

/** A rule with these limits that awards the value of activities whose `ext.rule` is the key. */
const limited = (key: string, limits: Limit[], more: object = {}) => ruleWhen(key, { limits, ...more });

const rules = [
  limited('reduce', [{ ...perDay, max: 100, onExceed: 'reduce' }]),
  limited('reject', [{ ...perDay, max: 100, onExceed: 'reject' }]),
  limited('skip', [{ ...perDay, max: 100, onExceed: 'skip' }]),
  limited('once', [{ what: 'times', per: 'member', period: 'lifetime', max: 1, onExceed: 'skip' }]),
  limited('each', [{ what: 'points', per: 'member', period: 'transaction', max: 10, onExceed: 'reduce' }]),
  limited('shared', [{ what: 'points', per: 'program', period: 'lifetime', max: 100, onExceed: 'reduce' }]),
  limited('budget', [], { budget: { points: 100 } }),
  limited('store', [{ what: 'points', per: 'location', period: 'lifetime', max: 10, onExceed: 'skip' }]),
  limited('week', [{ what: 'points', per: 'member', period: 'week', max: 10, onExceed: 'skip' }]),
  limited('returns', [{ what: 'times', per: 'member', period: 'lifetime', max: 1, onExceed: 'skip' }], {
    activityTypes: ['Cancellation'],
    actions: [{ type: 'setData', values: { thanks: true } }],
  }),
  redeemRule,
];

let world: World;
let acting: ActivityApi;
let member: Member;

beforeAll(async () => {
  world = await openWorld({ rules, program: { timezone: 'America/New_York' } });
  world.services.clock.set('2026-03-04T12:00:00.000Z');
  acting = activityApi(world);
});

beforeEach(async () => {
  member = await world.addMember();
});

afterAll(() => world.close());

const post = (rule: string, value: number, fields: object = {}, query = '') =>
  acting.post({ type: 'Accrual', memberID: member._id, value, ext: { rule }, ...fields }, query);
const granted = async (...args: Parameters<typeof post>) => {
  const { body } = await post(...args);
  return body.result.log.flatMap(({ results }: { results: { accruals: { accruedPoints: number }[] } }) =>
    results.accruals.map(({ accruedPoints }) => accruedPoints),
  );
};
const stored = async (id: string) => (await acting.history(id)).ruleMatch;

test('reduce gives what is left, then nothing, and shows the desired and the granted points', async () => {
  await post('reduce', 70);
  const cut = await post('reduce', 50);
  expect(await stored(cut.body.result.data.activityId)).toEqual([
    expect.objectContaining({ key: 'reduce', fired: true, reason: 'limitReached', desired: 50, granted: 30 }),
  ]);
  const none = await post('reduce', 5);
  expect(codes(none)).toEqual([]);
  expect(await stored(none.body.result.data.activityId)).toEqual([
    expect.objectContaining({ key: 'reduce', fired: false, reason: 'limitReached', desired: 5, granted: 0 }),
  ]);
  expect(await acting.balance(member._id)).toBe(100);
});

test('reject fails the whole activity with 2110 and uses nothing up', async () => {
  await post('reject', 70);
  const refused = await post('reject', 31);
  expect([codes(refused), refused.body.result.data.status]).toEqual([[2110], 'Error']);
  expect(codes(await post('reject', 30))).toEqual([]);
  expect(await acting.balance(member._id)).toBe(100);
});

test('skip leaves the rule out as a whole', async () => {
  await post('skip', 70);
  expect(await granted('skip', 31)).toEqual([]);
  expect(await granted('skip', 30)).toEqual([30]);
});

test('a limit per transaction counts within one activity only', async () => {
  expect(await granted('each', 25)).toEqual([10]);
  expect(await granted('each', 25)).toEqual([10]);
});

test('a limit per day counts the date of the activity in the time zone of the program', async () => {
  // Midnight in New York is 05:00 UTC in winter.
  expect(await granted('reduce', 100, { date: '2026-03-03T04:59:59.999Z' })).toEqual([100]);
  expect(await granted('reduce', 100, { date: '2026-03-02T05:00:00.000Z' })).toEqual([]);
  expect(await granted('reduce', 100, { date: '2026-03-03T05:00:00.000Z' })).toEqual([100]);
});

test('a limit per week begins on Sunday', async () => {
  // 2026-03-01 is a Sunday.
  expect(await granted('week', 10, { date: '2026-03-01T04:59:00.000Z' })).toEqual([10]);
  expect(await granted('week', 10, { date: '2026-03-01T05:00:00.000Z' })).toEqual([10]);
  expect(await granted('week', 1, { date: '2026-03-04T05:00:00.000Z' })).toEqual([]);
});

test('each member and each location has a limit of its own, and a program has one for all', async () => {
  const other = await world.addMember();
  expect(await granted('skip', 100)).toEqual([100]);
  expect(await granted('skip', 100, { memberID: other._id })).toEqual([100]);
  expect(await granted('store', 10, { srcChannelID: 'a' })).toEqual([10]);
  expect(await granted('store', 10, { srcChannelID: 'b' })).toEqual([10]);
  expect(await granted('store', 1, { srcChannelID: 'a', memberID: other._id })).toEqual([]);
  expect(await granted('shared', 60)).toEqual([60]);
  expect(await granted('shared', 60, { memberID: other._id })).toEqual([40]);
});

test('a cancel gives points back in parts and uses only as a whole', async () => {
  const points = await acting.processed('Accrual', member._id, { value: 100, ext: { rule: 'skip' } });
  await acting.cancel(points, { value: 30 });
  expect(await granted('skip', 31)).toEqual([]);
  expect(await granted('skip', 30)).toEqual([30]);
  const once = await acting.processed('Accrual', member._id, { value: 10, ext: { rule: 'once' } });
  await acting.cancel(once, { value: 9 });
  expect(await granted('once', 10)).toEqual([]);
  await acting.cancel(once);
  expect(await granted('once', 10)).toEqual([10]);
});

test('a budget is never exceeded by members at once, and is given back by a cancel', async () => {
  const members = await Promise.all(Array.from({ length: 15 }, () => world.addMember()));
  const answers = await Promise.all(members.map(({ _id }) => post('budget', 8, { memberID: _id })));
  const balances = await Promise.all(members.map(({ _id }) => acting.balance(_id)));
  expect(balances.reduce((sum, points) => sum + points, 0)).toBe(100);
  const none = await post('budget', 1, {}, '?explain=true');
  expect(none.body.ruleMatch).toEqual(
    expect.arrayContaining([expect.objectContaining({ key: 'budget', fired: false, reason: 'budgetEmpty' })]),
  );
  const first = answers[0]?.body.result.data.activityId;
  await acting.cancel(first, { value: 4 });
  expect(await granted('budget', 8)).toEqual([4]);
});

test('a limit holds among the activities of one member at once', async () => {
  await Promise.all(Array.from({ length: 30 }, () => post('reduce', 7)));
  expect(await acting.balance(member._id)).toBe(100);
});

test('a limit of a rule for cancellations holds as well', async () => {
  const thanks = [];
  for (let n = 0; n < 2; n += 1) {
    const id = await acting.processed('Accrual', member._id, { value: 5 });
    thanks.push((await acting.cancel(id, { ext: { rule: 'returns' } })).body.result.data.thanks);
  }
  expect(thanks).toEqual([true, undefined]);
});

test('a dry run uses nothing up', async () => {
  const tried = await post('skip', 100, {}, '?persist=false');
  expect(tried.body.member.purses[0].balance).toBe(100);
  expect(await granted('skip', 100)).toEqual([100]);
});

test('the history keeps the rules that fired or were cut, explain answers all with their reasons', async () => {
  await post('skip', 100);
  const { body } = await post('skip', 1, {}, '?explain=true');
  expect(body.ruleMatch).toHaveLength(rules.filter(({ activityTypes }) => activityTypes.includes('Accrual')).length);
  const reasons = body.ruleMatch.map(({ key, reason }: { key: string; reason: string }) => [key, reason]);
  expect(reasons).toEqual(
    expect.arrayContaining([
      ['skip', 'limitReached'],
      ['reduce', 'conditionFailed'],
    ]),
  );
  expect(await stored(body.result.data.activityId)).toEqual([
    expect.objectContaining({ key: 'skip', reason: 'limitReached' }),
  ]);
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
