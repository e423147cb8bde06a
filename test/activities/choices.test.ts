import type { ObjectId } from 'bson';
import { message } from '#base/common/messages/message';
import type { Member } from '#records/members/member';
import { ruleWhen } from '../support/ruleWhen';
import { earnRule, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

const issuing = (key: string, action: object) => ruleWhen(key, { actions: [action] });

let world: World;
let acting: ActivityApi;
let member: Member;

const reward = async (code: string, fields: Record<string, unknown>) => {
  const body = { code, name: code, program: world.program._id, ...fields };
  const answer = await world.server.as('admin').post('/rewards', body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
};

beforeAll(async () => {
  world = await openWorld({ rules: [], policies: [{ primary: true }], program: { timezone: 'Europe/Paris' } });
  acting = activityApi(world);
  await reward('SUITE', { uses: { total: 5 } });
  await reward('GIFT', { discount: { type: 'points', value: 500 }, validFor: { value: 30, unit: 'day' } });
  await reward('BOUGHT', { cost: { purse: 'Points', points: 40 } });
  await reward('WEEK', { validFor: { value: 7, unit: 'day', snap: 'endOfDay' } });
  await reward('LATER', { validAfter: { value: 2, unit: 'day' }, validFor: { value: 1, unit: 'week' } });
  const rewards = ['SUITE', 'GIFT', 'BOUGHT'];
  await world.publish([
    earnRule,
    issuing('choose', { type: 'issueChoice', rewards, validFor: { value: 10, unit: 'day' } }),
    issuing('default', { type: 'issueChoice', rewards, default: 'GIFT', validFor: { value: 10, unit: 'day' } }),
    issuing('week', { type: 'issueReward', reward: 'WEEK' }),
    issuing('later', { type: 'issueReward', reward: 'LATER' }),
  ]);
});

beforeEach(async () => {
  world.services.clock.set('2026-05-20T12:00:00.000Z');
  await acting.forgetUses();
  member = await world.addMember();
});

afterAll(() => world.close());

const post = (fields: Record<string, unknown>, memberID: ObjectId = member._id) =>
  acting.post({ type: 'Accrual', memberID, value: 0, ...fields });
const award = async (rule: string, fields: Record<string, unknown> = {}) =>
  (await post({ ext: { rule }, ...fields })).body.result.data;
const messages = async (fields: Record<string, unknown>, memberID?: ObjectId) =>
  (await post(fields, memberID)).body.result.errors.map(({ message }: { message: string }) => message);
const take = async (couponCode: string, chosenReward?: string, fields: object = {}) =>
  (await post({ couponCode, ...(chosenReward === undefined ? {} : { chosenReward }), ...fields })).body.result;
const stored = async (code: string) => (await world.server.as('client').get(`/issuedrewards?code=${code}`)).body[0];

describe('a code is valid as long as its reward says in the time zone of the program:', () => {
  test.each([
    ['it is valid in the last instant', '2026-05-08T21:59:59.999Z', []],
    [
      'it is not valid any more after it',
      '2026-05-08T22:00:00.000Z',
      ['The coupon code CODE was valid until 2026-05-08T22:00:00.000Z'],
    ],
  ])('for seven whole days, %s', async (_name, date, expected) => {
    const { issuedRewards } = await award('week', { date: '2026-05-01T08:00:00+02:00' });
    const [{ code, validUntil }] = issuedRewards;
    expect(validUntil).toBe('2026-05-08T22:00:00.000Z');
    const actual = await messages({ couponCode: code, date });
    expect(actual.map((message: string) => message.replace(code, 'CODE'))).toEqual(expected);
  });

  test.each([
    [
      'it is not valid before',
      '2026-05-03T05:59:59.999Z',
      ['The coupon code CODE is valid from 2026-05-03T06:00:00.000Z'],
    ],
    ['it is valid from the first instant', '2026-05-03T06:00:00.000Z', []],
    ['it is valid to the end of the week', '2026-05-10T05:59:59.999Z', []],
    [
      'it is not valid after',
      '2026-05-10T06:00:00.000Z',
      ['The coupon code CODE was valid until 2026-05-10T06:00:00.000Z'],
    ],
  ])('for a week from two days after the issue, %s', async (_name, date, expected) => {
    const { issuedRewards } = await award('later', { date: '2026-05-01T06:00:00.000Z' });
    const actual = await messages({ couponCode: issuedRewards[0].code, date });
    expect(actual.map((message: string) => message.replace(issuedRewards[0].code, 'CODE'))).toEqual(expected);
  });
});

describe('a choice', () => {
  test('gives one of its rewards, once', async () => {
    const { issuedChoices } = await award('choose', { date: '2026-05-19T12:00:00.000Z' });
    expect(issuedChoices).toEqual([
      {
        code: expect.any(String),
        rewards: ['SUITE', 'GIFT', 'BOUGHT'],
        validUntil: '2026-05-29T12:00:00.000Z',
      },
    ]);
    const [{ code }] = issuedChoices;
    expect(await messages({ couponCode: code })).toEqual([
      `The coupon code ${code} is a choice: chosenReward must name a reward`,
    ]);
    expect(await messages({ couponCode: code, chosenReward: 'WEEK' })).toEqual([
      `The coupon code ${code} is no choice with the reward WEEK`,
    ]);
    const { data } = await take(code, 'GIFT', { date: '2026-05-20T10:00:00.000Z' });
    expect(data.issuedRewards).toMatchObject([{ reward: 'GIFT', validUntil: '2026-06-19T10:00:00.000Z' }]);
    expect(await stored(code)).toMatchObject({ status: 'Used', usedBy: data.activityId });
    expect(await stored(data.issuedRewards[0].code)).toMatchObject({
      status: 'Issued',
      choiceOf: (await stored(code))._id,
    });
    expect(await messages({ couponCode: code, chosenReward: 'SUITE' })).toEqual([
      `The coupon code ${code} was used before`,
    ]);
    await post({ couponCode: data.issuedRewards[0].code });
    expect(await acting.balance(member._id)).toBe(500);
  });

  test('works for its member and a whole activity only, and chosenReward for a choice only', async () => {
    const other = await world.addMember();
    const { issuedChoices } = await award('choose');
    const [{ code }] = issuedChoices;
    expect(await messages({ couponCode: code, chosenReward: 'GIFT' }, other._id)).toEqual([
      `The coupon code ${code} is not valid`,
    ]);
    expect(await messages({ lineItems: [{ itemPrice: 1, couponCode: code }] })).toEqual([
      `The coupon code ${code} is a choice, not for line items`,
    ]);
    expect(await messages({ chosenReward: 'GIFT' })).toEqual(['chosenReward needs the code of a choice as couponCode']);
  });

  test('takes the cost of the reward, or nothing when the purse does not cover it', async () => {
    const { issuedChoices } = await award('choose');
    const [{ code }] = issuedChoices;
    const { errors } = await take(code, 'BOUGHT');
    expect(errors).toMatchObject([{ code: 2100 }]);
    expect(await stored(code)).toMatchObject({ status: 'Issued' });
    await post({ value: 100 });
    const { data } = await take(code, 'BOUGHT');
    expect(await acting.balance(member._id)).toBe(60);
    await acting.cancel(data.activityId);
    expect(await acting.balance(member._id)).toBe(100);
    expect(await stored(code)).toMatchObject({ status: 'Issued' });
  });

  test('lapses without a default, and later gives only its default, valid from the end of the choice', async () => {
    const early = '2026-05-01T12:00:00.000Z';
    const [plain] = (await award('choose', { date: early })).issuedChoices;
    const [other] = (await award('default', { date: early })).issuedChoices;
    const date = '2026-05-15T12:00:00.000Z';
    const late = (code: string) => [`The coupon code ${code} was valid until 2026-05-11T12:00:00.000Z`];
    expect(await messages({ couponCode: plain.code, chosenReward: 'SUITE', date })).toEqual(late(plain.code));
    expect(await messages({ couponCode: plain.code, date })).toEqual(late(plain.code));
    expect(await messages({ couponCode: other.code, chosenReward: 'SUITE', date })).toEqual(late(other.code));
    const { data } = await take(other.code, undefined, { date });
    expect(data.issuedRewards).toMatchObject([{ reward: 'GIFT', validUntil: '2026-06-10T12:00:00.000Z' }]);
  });

  test('is withdrawn with the activity that gave it, also after it was taken', async () => {
    const first = await award('choose');
    await acting.cancel(first.activityId);
    const [{ code }] = first.issuedChoices;
    expect(await messages({ couponCode: code, chosenReward: 'GIFT' })).toEqual([
      `The coupon code ${code} was withdrawn`,
    ]);
    const second = await award('choose');
    const choice = second.issuedChoices[0].code;
    const { data } = await take(choice, 'GIFT');
    await acting.cancel(second.activityId);
    expect(await stored(choice)).toMatchObject({ status: 'Used' });
    await acting.cancel(data.activityId);
    expect(await stored(choice)).toMatchObject({ status: 'Withdrawn' });
    expect(await stored(data.issuedRewards[0].code)).toMatchObject({ status: 'Withdrawn' });
  });

  test('cannot be made again while the reward that was taken is used, and can when its use is cancelled', async () => {
    const [{ code }] = (await award('choose')).issuedChoices;
    const { data } = await take(code, 'GIFT');
    const used = await post({ couponCode: data.issuedRewards[0].code });
    await acting.cancel(data.activityId);
    expect(await stored(code)).toMatchObject({ status: 'Used' });
    expect(await acting.balance(member._id)).toBe(500);
    await acting.cancel(used.body.result.data.activityId);
    expect(await acting.balance(member._id)).toBe(0);
    expect(await stored(data.issuedRewards[0].code)).toMatchObject({ status: 'Withdrawn' });
    expect(await stored(code)).toMatchObject({ status: 'Issued' });
    expect((await take(code, 'SUITE')).errors).toEqual([]);
  });

  test('that is made 64 times at once gives one reward', async () => {
    const [{ code }] = (await award('choose')).issuedChoices;
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => take(code, n % 2 === 0 ? 'GIFT' : 'SUITE')));
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
    const { db } = world.services;
    expect(await db.collection('issuedrewards').countDocuments({ member: member._id, reward: { $exists: true } })).toBe(
      1,
    );
  });

  test('by 16 members at once never gives more of a reward than there are', async () => {
    const members = await Promise.all(Array.from({ length: 16 }, () => world.addMember()));
    const choices = await Promise.all(
      members.map(
        async ({ _id }) => (await post({ ext: { rule: 'choose' } }, _id)).body.result.data.issuedChoices[0].code,
      ),
    );
    const answers = await Promise.all(
      members.map(({ _id }, n) => post({ couponCode: choices[n], chosenReward: 'SUITE' }, _id)),
    );
    const done = answers.filter(({ body }) => body.result.errors.length === 0);
    expect(done).toHaveLength(5);
    const refused = answers.flatMap(({ body }) =>
      body.result.errors.map(({ message }: { message: string }) => message),
    );
    expect(new Set(refused)).toEqual(new Set(['The reward SUITE is used up']));
  });
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});

test('a reward that is gone is neither issued nor offered, and the log says why in any language', async () => {
  const rewardsStored = world.services.db.collection('rewards');
  const gone = await rewardsStored.find({ code: { $in: ['SUITE', 'WEEK'] } }).toArray();
  await rewardsStored.deleteMany({ code: { $in: ['SUITE', 'WEEK'] } });
  const resultsOf = async (rule: string) => (await post({ ext: { rule } })).body.result.log[0].results;
  expect(await resultsOf('week')).toEqual({
    reward: 'WEEK',
    isIssued: false,
    reason: 'the reward does not exist',
    fault: message('activities.rewardFault', { fault: message('activities.rewardGone') }),
  });
  expect(await resultsOf('choose')).toEqual({
    rewards: ['SUITE', 'GIFT', 'BOUGHT'],
    isIssued: false,
    reason: 'a reward does not exist',
    fault: message('activities.choiceRewardGone'),
  });
  await rewardsStored.insertMany(gone);
});
