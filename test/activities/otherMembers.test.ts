import { collectionOf } from '#base/db/collections';
import { type Member, memberResource } from '#records/members/member';
import { ruleWhen } from '../support/ruleWhen';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi, codes } from './activityApi';

const typed = (key: string, type: string, action: object) => ({
  ...earnRule,
  key,
  name: key,
  activityTypes: [type],
  actions: [action],
});
const requestOf = (key: string, action: object) => ruleWhen(key, { activityTypes: ['Adjustment'], actions: [action] });
const value = { of: { fact: 'activity', path: '$.value' }, times: 1 };

const rules = [
  earnRule,
  redeemRule,
  typed('refer', 'Referral', { type: 'completeReferral', purse: 'Points', points: 10, referrerPoints: 25 }),
  requestOf('send', {
    type: 'transferPoints',
    purse: 'Points',
    points: value,
    toMember: { loyaltyID: { fact: 'activity', path: '$.ext.to' } },
  }),
  requestOf('swap', { type: 'transferPoints', purse: 'Points', points: value, toPurse: 'Bonus' }),
];

let world: World;
let acting: ActivityApi;
let member: Member;
let friend: Member;

beforeAll(async () => {
  world = await openWorld({
    rules,
    policies: [
      { primary: true, expiry: { type: 'rolling', value: 1, unit: 'year' } },
      { name: 'Bonus', clawback: 'pendingOnly', overdraftLimit: 100 },
    ],
  });
  world.services.clock.set('2026-03-04T12:00:00.000Z');
  acting = activityApi(world);
});

beforeEach(async () => {
  member = await world.addMember();
  friend = await world.addMember();
});

afterAll(() => world.close());

const read = async ({ _id }: Member) => (await world.server.as('client').get(`/members/${_id}`)).body;
const refer = (fields: Record<string, unknown> = {}) =>
  acting.post({ type: 'Referral', memberID: member._id, referralCode: friend.referralCode, ...fields });

describe('completeReferral', () => {
  test('awards both members and notes the referral on both', async () => {
    const { body } = await refer();
    expect([await acting.balance(member._id), await acting.balance(friend._id)]).toEqual([10, 25]);
    expect(body.result.log).toContainEqual(
      expect.objectContaining({
        action: 'completeReferral',
        results: { isCompleted: true, referrer: `${friend._id}`, points: 10, referrerPoints: 25 },
      }),
    );
    expect((await read(friend)).referrals).toEqual([
      { code: friend.referralCode, status: 'Completed', referred: `${member._id}` },
    ]);
    expect((await read(member)).referredBy).toBe(`${friend._id}`);
  });

  test('happens once for a member, whoever refers it again', async () => {
    await refer();
    const third = await world.addMember();
    expect(codes(await refer())).toEqual([]);
    expect(codes(await refer({ referralCode: third.referralCode }))).toEqual([]);
    expect([
      await acting.balance(member._id),
      await acting.balance(friend._id),
      await acting.balance(third._id),
    ]).toEqual([10, 25, 0]);
    expect((await read(third)).referrals).toEqual([]);
  });

  test('happens once however many post it at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => refer()));
    expect(answers.map(codes)).toEqual(answers.map(() => []));
    expect([await acting.balance(member._id), await acting.balance(friend._id)]).toEqual([10, 25]);
  });

  test('awards a referrer for each of many members who come at once', async () => {
    const members = await Promise.all(Array.from({ length: 12 }, () => world.addMember()));
    await Promise.all(members.map(({ _id }) => refer({ memberID: _id })));
    expect(await acting.balance(friend._id)).toBe(12 * 25);
    expect((await read(friend)).referrals).toHaveLength(12);
  });

  test('needs no code where the member says who referred it', async () => {
    const actual = await world.addMember({ referredBy: friend._id });
    await acting.processed('Referral', actual._id);
    expect([await acting.balance(actual._id), await acting.balance(friend._id)]).toEqual([10, 25]);
  });

  test('passes over a member whom nobody referred', async () => {
    await acting.processed('Referral', member._id);
    expect(await acting.balance(member._id)).toBe(0);
  });

  test('is taken back from both members by a cancel, and may then be completed again', async () => {
    const id = (await refer()).body.result.data.activityId;
    await acting.cancel(id);
    expect([await acting.balance(member._id), await acting.balance(friend._id)]).toEqual([0, 0]);
    expect((await read(friend)).referrals).toMatchObject([{ status: 'Pending' }]);
    await refer();
    expect([await acting.balance(member._id), await acting.balance(friend._id)]).toEqual([10, 25]);
    expect((await read(friend)).referrals).toMatchObject([{ status: 'Completed' }]);
  });

  test('makes a debt of points that the referrer spent when it is taken back', async () => {
    const id = (await refer()).body.result.data.activityId;
    await acting.processed('Redemption', friend._id, { value: 20 });
    await acting.cancel(id);
    expect(await acting.purse(friend._id)).toMatchObject({ balance: -20, debt: 20 });
  });

  test('leaves no trace on the referrer when its activity fails', async () => {
    const idle = await world.addMember({ status: 'Suspended' });
    expect(codes(await refer({ memberID: idle._id }))).toEqual([2200]);
    expect((await read(friend)).referrals).toEqual([]);
  });
});

describe('transferPoints', () => {
  const earn = async (points: number, date: string) =>
    acting.processed('Accrual', member._id, { value: points, date: `${date}T12:00:00.000Z` });
  const send = (points: number, to: unknown = friend.loyaltyID) =>
    acting.post({ type: 'Adjustment', memberID: member._id, value: points, ext: { rule: 'send', to } });
  const parts = async ({ _id }: Member) =>
    (await acting.lots(_id)).map(
      ({ availablePoints, dtExpiresOn }: { availablePoints: number; dtExpiresOn: string }) => [
        availablePoints,
        dtExpiresOn.slice(0, 10),
      ],
    );

  beforeEach(async () => {
    await earn(30, '2026-02-02');
    await earn(50, '2026-01-01');
  });

  test('moves the points that expire first, and each keeps its expiry', async () => {
    expect(codes(await send(60))).toEqual([]);
    expect(await parts(friend)).toEqual([
      [50, '2027-01-01'],
      [10, '2027-02-02'],
    ]);
    expect(await parts(member)).toEqual([
      [0, '2027-01-01'],
      [20, '2027-02-02'],
    ]);
    const journal = async ({ _id }: Member) => {
      const { body } = await world.server.as('client').get(`/journal?member=${_id}&sort=seq`);
      return body.slice(-2).map(({ kind, points }: { kind: string; points: number }) => [kind, points]);
    };
    expect(await journal(member)).toEqual([
      ['transferOut', -50],
      ['transferOut', -10],
    ]);
    expect(await journal(friend)).toEqual([
      ['transferIn', 50],
      ['transferIn', 10],
    ]);
  });

  test('ends in 2100 for more than there is, because an overdraft cannot be given away', async () => {
    expect(codes(await send(81))).toEqual([2100]);
    expect([await acting.balance(member._id), await acting.balance(friend._id)]).toEqual([80, 0]);
  });

  test.each([
    ['unknown', () => 'nobody'],
    ['missing', () => undefined],
    ['no text', () => 5],
    ['the giver', () => member.loyaltyID],
  ])('ends in 2200 when the receiver is %s', async (_name, to) => {
    expect(codes(await send(10, to() ?? null))).toEqual([2200]);
    expect(await acting.balance(member._id)).toBe(80);
  });

  test('ends in 2200 when the receiver is not active', async () => {
    const idle = await world.addMember({ status: 'Inactive' });
    expect(codes(await send(10, idle.loyaltyID))).toEqual([2200]);
  });

  test('repays the debt of the receiver', async () => {
    const purchase = await acting.processed('Accrual', friend._id, { value: 20 });
    await acting.processed('Redemption', friend._id, { value: 20 });
    await acting.cancel(purchase);
    await send(30);
    expect(await acting.purse(friend._id)).toMatchObject({ balance: 10, debt: 0 });
  });

  test('is undone by a cancel, and makes a debt of points that the receiver spent', async () => {
    const { body } = await send(60);
    await acting.processed('Redemption', friend._id, { value: 15 });
    await acting.cancel(body.result.data.activityId);
    expect([await acting.balance(member._id), await acting.balance(friend._id)]).toEqual([80, -15]);
  });

  test('is undone by a partial cancel in proportion', async () => {
    const { body } = await send(60);
    await acting.cancel(body.result.data.activityId, { value: 30 });
    expect([await acting.balance(member._id), await acting.balance(friend._id)]).toEqual([50, 30]);
  });

  test('works to another purse and back, also where only pending points are reversed', async () => {
    const id = await acting.processed('Adjustment', member._id, { value: 60, ext: { rule: 'swap' } });
    expect([await acting.balance(member._id), await acting.balance(member._id, 'Bonus')]).toEqual([20, 60]);
    await acting.cancel(id);
    expect([await acting.balance(member._id), await acting.balance(member._id, 'Bonus')]).toEqual([80, 0]);
  });

  test('moves no point twice when many run at once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(10)));
    expect(answers.filter((answer) => codes(answer).length === 0)).toHaveLength(8);
    expect([await acting.balance(member._id), await acting.balance(friend._id)]).toEqual([0, 80]);
  });

  test('works between two members in both directions at once', async () => {
    await acting.processed('Accrual', friend._id, { value: 40 });
    const back = { type: 'Adjustment', memberID: friend._id, value: 40, ext: { rule: 'send', to: member.loyaltyID } };
    const answers = await Promise.all([send(80), acting.post(back)]);
    expect(answers.map(codes)).toEqual([[], []]);
    expect([await acting.balance(member._id), await acting.balance(friend._id)]).toEqual([40, 80]);
  });

  test('changes both members or none', async () => {
    const members = collectionOf(world.services.db, memberResource);
    const before = await members.findOne({ _id: friend._id });
    await send(1000);
    expect(await members.findOne({ _id: friend._id })).toEqual(before);
  });
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
