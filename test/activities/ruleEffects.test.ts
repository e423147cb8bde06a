import type { Member } from '#records/members/member';
import { ruleWhen } from '../support/ruleWhen';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi, codes, lines } from './activityApi';

const rule = (key: string, type: string, actions: object[], more: object = {}) =>
  ruleWhen(key, { activityTypes: [type], actions, ...more });

const rules = [
  earnRule,
  redeemRule,
  rule('promo', 'Accrual', [{ type: 'addMetric', metric: 'promo', value: 3, expires: { value: 1, unit: 'month' } }]),
  rule('locked', 'Cancellation', [{ type: 'reject', message: 'It is locked' }]),
  rule('return', 'Cancellation', [
    { type: 'setData', values: { receipt: 'R' } },
    { type: 'log', message: 'returned' },
    { type: 'addMetric', metric: 'returns', value: 1 },
  ]),
  rule('spendNew', 'Accrual', [{ type: 'redeemPoints', purse: 'Points', points: 4 }], { priority: 1 }),
];

let world: World;
let acting: ActivityApi;
let member: Member;

beforeAll(async () => {
  world = await openWorld({ rules });
  world.services.clock.set('2026-03-01T12:00:00.000Z');
  acting = activityApi(world);
});

beforeEach(async () => {
  member = await world.addMember();
});

afterAll(() => world.close());

const earn = (value: number, name?: string, fields: object = {}) =>
  acting.processed('Accrual', member._id, { value, ...(name ? { ext: { rule: name } } : {}), ...fields });
const metric = async (name: string) => {
  const { body } = await world.server.as('client').get(`/members/${member._id}`);
  return body.aggregates.find(({ metricName }: { metricName: string }) => metricName === name);
};

test('a metric with an end lasts from the date of the activity, and a cancel subtracts it', async () => {
  const id = await earn(10, 'promo', { date: '2026-01-31T10:00:00.000Z' });
  const expirationDate = '2026-02-28T10:00:00.000Z';
  // The end has passed, so a new amount begins a new aggregate.
  expect(await metric('promo')).toMatchObject({ metricAggValue: 3, expirationDate });
  const later = await earn(10, 'promo');
  const { body } = await world.server.as('client').get(`/members/${member._id}`);
  const ends = body.aggregates.flatMap(({ expirationDate: end }: { expirationDate?: string }) => end ?? []);
  expect(ends).toEqual([expirationDate, '2026-04-01T12:00:00.000Z']);
  expect(codes(await acting.cancel(later, { value: 5 }))).toEqual([]);
  expect(codes(await acting.cancel(id))).toEqual([]);
});

test('rules for a Cancellation set data, log and add metrics', async () => {
  const id = await earn(10);
  const { body } = await acting.cancel(id, { ext: { rule: 'return' } });
  expect(body.result.data).toMatchObject({ receipt: 'R', status: 'Processed' });
  const actions = body.result.log.entries.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(['giveBack', 'setData', 'log', 'addMetric']);
  expect(await metric('returns')).toMatchObject({ metricAggValue: 1 });
});

test('a rule that rejects a cancel leaves the target as it was', async () => {
  const id = await earn(10);
  const before = await acting.dump();
  const answer = await acting.cancel(id, { ext: { rule: 'locked' } });
  expect([answer.status, codes(answer), answer.body.result.errors[0].message]).toEqual([200, [2400], 'It is locked']);
  expect(await acting.dump()).toEqual(before);
});

test('an activity that burns from its own award is given back as a whole', async () => {
  const id = await earn(10, 'spendNew');
  expect(await acting.purse(member._id)).toMatchObject({ balance: 6, burnedPoints: 4 });
  expect(lines(await acting.cancel(id))).toEqual([
    { did: 'restored', points: 4 },
    { did: 'reversed', points: 10 },
  ]);
  expect(await acting.purse(member._id)).toMatchObject({ balance: 0, debt: 0, burnedPoints: 0 });
});

test('the journal, the accrual item and the history have the rule and its version', async () => {
  const id = await earn(10);
  const { ruleSet, currentRule } = await acting.history(id);
  expect(currentRule).toMatchObject({ key: 'earn', version: ruleSet });
  const [lot] = await acting.lots(member._id);
  expect(lot).toMatchObject({ rule: currentRule.rule, ruleVersion: ruleSet, activity: id });
  const entry = await world.services.db.collection('journal').findOne({ member: member._id });
  expect(entry).toMatchObject({ seq: 1, kind: 'accrue', ruleVersion: ruleSet });
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
