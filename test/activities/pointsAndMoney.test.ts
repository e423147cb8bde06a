import { fc, test as property } from '@fast-check/jest';
import { rewardPrice } from '#programs/offers/price';
import type { Member } from '#records/members/member';
import { refusals } from '../support/refusals';
import { ruleWhen } from '../support/ruleWhen';
import { scaled } from '../support/scale';
import { earnRule, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

const requestOf = (key: string, action: object) => ruleWhen(key, { activityTypes: ['Redemption'], actions: [action] });

let world: World;
let acting: ActivityApi;
let member: Member;

const reward = (code: string, fields: Record<string, unknown>) =>
  world.server.as('admin').post('/rewards', { code, name: code, program: world.program._id, ...fields });

beforeAll(async () => {
  world = await openWorld({ rules: [], policies: [{ primary: true }] });
  acting = activityApi(world);
  const cost = { purse: 'Points', points: 1000, leastPoints: 250, pointValue: 0.75 };
  for (const code of ['NIGHT', 'SPA']) expect((await reward(code, { cost })).status).toBe(201);
  expect((await reward('MUG', { cost: { purse: 'Points', points: 40 } })).status).toBe(201);
  await world.publish([
    earnRule,
    requestOf('choose', { type: 'issueChoice', rewards: ['NIGHT', 'MUG'] }),
    requestOf('issue', { type: 'issueReward', reward: 'SPA' }),
  ]);
});

beforeEach(async () => {
  member = await world.addMember();
  await acting.processed('Accrual', member._id, { value: 1200 });
});

afterAll(() => world.close());

const redeem = async (fields: Record<string, unknown>) =>
  (await acting.post({ type: 'Redemption', memberID: member._id, ...fields })).body.result;
const moneyBack = ({
  body,
}: {
  body: { result: { log: { entries: { results: { did: string; money: number } }[] } } };
}) => body.result.log.entries.flatMap(({ results: { did, money } }) => (did === 'moneyReturned' ? [money] : []));

property.prop([fc.nat(1_000_000), fc.nat(1_000_000), fc.integer({ min: 1, max: 1_000_000 })], {
  numRuns: scaled(500),
})('the money is exact and rounded up once', (a, b, tenThousandths) => {
  const [payPoints, points] = [Math.min(a, b), Math.max(a, b)];
  const exact = BigInt(points - payPoints) * BigInt(tenThousandths);
  const { money } = rewardPrice({ purse: 'P', points, pointValue: tenThousandths / 10_000 }, payPoints);
  expect(BigInt(money)).toBe((exact + 9999n) / 10_000n);
});

test.each([
  ['all points when it says nothing', {}, 200, undefined],
  ['a part in points, and money for the others', { payPoints: 251 }, 949, { points: 251, money: 562 }],
  ['as few points as the reward allows', { payPoints: 250 }, 950, { points: 250, money: 563 }],
  ['all points when it says so', { payPoints: 1000 }, 200, undefined],
])('a reward by its own code takes %s', async (_name, fields, left, paid) => {
  const { data } = await redeem({ couponCode: 'NIGHT', ...fields });
  expect(await acting.balance(member._id)).toBe(left);
  const { bestOffers } = await acting.history(data.activityId);
  expect(bestOffers[0].paid).toEqual(paid);
});

test.each([
  ['too few points', { couponCode: 'NIGHT', payPoints: 249 }, 'The reward NIGHT needs at least 250 points, not 249'],
  ['too many points', { couponCode: 'NIGHT', payPoints: 1001 }, 'The reward NIGHT costs 1000 points, not 1001'],
  ['a reward for points only', { couponCode: 'MUG', payPoints: 30 }, 'The reward MUG needs at least 40 points, not 30'],
  ['no reward', { payPoints: 30 }, 'payPoints needs a reward as couponCode'],
])('%s is refused', async (_name, fields, message) => {
  expect((await redeem(fields)).errors).toMatchObject([{ code: 2500, message }]);
  expect(await acting.balance(member._id)).toBe(1200);
});

test('a cancel gives back points and money, and several returns give back as much as one', async () => {
  const { data } = await redeem({ couponCode: 'NIGHT', payPoints: 251, value: 100 });
  const first = await acting.cancel(data.activityId, { value: 33 });
  const second = await acting.cancel(data.activityId, { value: 33 });
  expect([...moneyBack(first), ...moneyBack(second)]).toEqual([185, 185]);
  expect(await acting.balance(member._id)).toBe(949 + Math.floor((251 * 66) / 100));
  const last = await acting.cancel(data.activityId);
  expect(moneyBack(last)).toEqual([562 - 370]);
  expect(await acting.balance(member._id)).toBe(1200);
});

test('a reward of a choice is paid in points and money too, and given back when it is not used any more', async () => {
  const { data } = await redeem({ ext: { rule: 'choose' } });
  const [{ code: couponCode }] = data.issuedChoices;
  const taken = (await redeem({ couponCode, chosenReward: 'NIGHT', payPoints: 500 })).data;
  expect(taken.issuedRewards).toMatchObject([{ reward: 'NIGHT', paid: { points: 500, money: 375 } }]);
  expect(await acting.balance(member._id)).toBe(700);
  const used = (await redeem({ couponCode: taken.issuedRewards[0].code })).data;
  expect(moneyBack(await acting.cancel(taken.activityId))).toEqual([]);
  expect(await acting.balance(member._id)).toBe(700);
  expect(moneyBack(await acting.cancel(used.activityId))).toEqual([375]);
  expect(await acting.balance(member._id)).toBe(1200);
});

test('a reward that a rule issues takes all of its points', async () => {
  const { data } = await redeem({ ext: { rule: 'issue' } });
  expect(data.issuedRewards[0].paid).toBeUndefined();
  expect(await acting.balance(member._id)).toBe(200);
});

test('the bounds are checked when a reward is written', async () => {
  const cost = { purse: 'Points', points: 100 };
  expect(refusals(await reward('A', { cost: { ...cost, leastPoints: 101, pointValue: 1 } }))).toEqual([
    'cost.leastPoints maximum',
  ]);
  expect(refusals(await reward('B', { cost: { ...cost, pointValue: 1 } }))).toEqual(['cost.leastPoints required']);
  expect(refusals(await reward('C', { cost: { ...cost, leastPoints: 1 } }))).toEqual(['cost.pointValue required']);
  expect(refusals(await reward('D', { cost: { ...cost, leastPoints: 1, pointValue: 0 } }))).toEqual([
    'cost.pointValue exclusiveMinimum',
  ]);
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
