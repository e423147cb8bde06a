import type { Member } from '../../src/members/member';
import { openWorld, type World } from '../support/world';
import { type Acting, actingIn, codes } from './acting';
import { pursePolicies, purseRules } from './purses';

const start = new Date('2026-03-01T12:00:00.000Z');

let world: World;
let acting: Acting;
let member: Member;

beforeAll(async () => {
  world = await openWorld({ rules: purseRules, policies: pursePolicies });
  acting = actingIn(world);
});

beforeEach(async () => {
  world.services.clock.set(start);
  member = await world.addMember();
});

afterEach(async () => {
  expect(await acting.mismatches()).toEqual([]);
});

afterAll(() => world.close());

const earn = (value: number, fields: object = {}) =>
  acting.processed('Accrual', member._id, { value, ext: { purse: 'Points' }, ...fields });
const redeem = (value: number) => acting.processed('Redemption', member._id, { value, ext: { purse: 'Points' } });
const parts = async (...names: string[]) =>
  (await acting.lots(member._id)).map((lot: Record<string, number>) => names.map((name) => lot[`${name}Points`]));
const tick = () => world.services.clock.advance(1000);

describe('a cancel of the whole', () => {
  test('makes a Cancellation with the target as originalTxnId and logs what it gave back as entries', async () => {
    const id = await earn(40, { loyaltyID: member.loyaltyID });
    const answer = await acting.cancel(id);
    expect(answer.status).toBe(200);
    expect(answer.body.result.log).toEqual({
      entries: [
        {
          action: 'giveBack',
          type: 'Cancellation',
          time: start.toISOString(),
          results: { did: 'reversed', purse: 'Points', points: 40, accrualItem: expect.any(String) },
        },
      ],
    });
    const { activityId } = answer.body.result.data;
    expect(await acting.history(activityId)).toMatchObject({
      type: 'Cancellation',
      status: 'Processed',
      value: 40,
      originalTxnId: id,
      memberID: member._id.toHexString(),
      loyaltyID: member.loyaltyID,
    });
    expect((await acting.history(id)).status).toBe('Cancelled');
    expect(await parts('reversed', 'available')).toEqual([[40, 0]]);
    expect(await acting.purse(member._id)).toMatchObject({ balance: 0, debt: 0, accruedPoints: 40 });
  });

  test('keeps the key-values of its body', async () => {
    const id = await earn(40);
    const sent = { type: 'Cancellation', value: 15, couponCode: 'TEN', srcChannelType: 'Web', ext: { why: 'broken' } };
    const { body } = await acting.cancel(id, sent);
    expect(body.result.errors).toEqual([]);
    expect(await acting.history(body.result.data.activityId)).toMatchObject({ ...sent, originalTxnId: id });
    expect((await acting.purse(member._id)).balance).toBe(25);
  });

  test('posted as an activity of type Cancellation is the same', async () => {
    const id = await earn(40);
    const { status, body } = await acting.post({ type: 'Cancellation', originalTxnId: id, memberID: member._id });
    expect([status, body.result.data.status]).toEqual([200, 'Processed']);
    expect(body.result.log).toEqual([expect.objectContaining({ action: 'giveBack' })]);
    expect((await acting.history(id)).status).toBe('Cancelled');
    expect((await acting.purse(member._id)).balance).toBe(0);
  });

  test('of an activity without value and effect works too', async () => {
    const id = await acting.processed('Enrollment', member._id);
    const answer = await acting.cancel(id);
    expect([codes(answer), answer.body.result.log.entries]).toEqual([[], []]);
    expect((await acting.history(id)).status).toBe('Cancelled');
  });

  test('of a member that is suspended meanwhile takes its points back all the same', async () => {
    const id = await earn(40);
    await world.server.as('admin').patch(`/members/${member._id}`, { status: 'Suspended' });
    expect(codes(await acting.cancel(id))).toEqual([]);
    expect((await acting.purse(member._id)).balance).toBe(0);
  });

  test('subtracts the metrics in the periods of the original and counts no first purchase', async () => {
    const id = await earn(40, { date: '2026-01-15T23:00:00.000Z' });
    await acting.cancel(id, { date: '2026-02-20T10:00:00.000Z' });
    const events = await world.services.db.collection('metricevents').find({ 'entries.member': member._id }).toArray();
    const days = events.map(({ entries }) =>
      entries.map(({ metric, value, day: on }: { metric: string; value: number; day: Date }) => [
        metric,
        value,
        on.toISOString().slice(0, 10),
      ]),
    );
    const signed = (sign: number) =>
      expect.arrayContaining([
        ['spend', sign * 40, '2026-01-15'],
        ['visits', sign, '2026-01-15'],
        ['pointsEarned', sign * 40, '2026-01-15'],
        ['pointsEarned:Points', sign * 40, '2026-01-15'],
      ]);
    expect(days).toEqual([signed(1), signed(-1)]);
    const { body } = await world.server.as('client').get(`/members/${member._id}`);
    const left = body.aggregates.map(({ metricAggValue }: { metricAggValue: number }) => metricAggValue);
    expect(left.every((value: number) => value === 0)).toBe(true);
    const stored = await world.services.db.collection('members').findOne({ _id: member._id });
    expect(stored?.processedAccruals).toBe(0);
  });
});

describe('a partial return', () => {
  test('takes of each lot the floor of its share, over several returns, and ends Cancelled when all is back', async () => {
    const id = await earn(10, { ext: { purse: 'Points', bonus: true } });
    expect((await acting.purse(member._id)).balance).toBe(17);
    await acting.cancel(id, { value: 3 });
    expect(await parts('accrued', 'reversed')).toEqual(
      expect.arrayContaining([
        [10, 3],
        [7, 2],
      ]),
    );
    expect(await acting.history(id)).toMatchObject({ status: 'Processed' });
    await acting.cancel(id, { lineItems: [{ itemPrice: 2, quantity: 2 }] });
    expect(await parts('accrued', 'reversed')).toEqual(
      expect.arrayContaining([
        [10, 7],
        [7, 4],
      ]),
    );
    const last = await acting.cancel(id);
    expect((await acting.history(last.body.result.data.activityId)).value).toBe(3);
    expect(await parts('accrued', 'reversed')).toEqual(
      expect.arrayContaining([
        [10, 10],
        [7, 7],
      ]),
    );
    expect((await acting.history(id)).status).toBe('Cancelled');
    expect(codes(await acting.cancel(id))).toEqual([2300]);
  });

  test('above what is left answers 422 and changes nothing', async () => {
    const id = await earn(10);
    await acting.cancel(id, { value: 8 });
    const before = await acting.dump();
    const { status, body } = await acting.cancel(id, { value: 3 });
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ path: 'value', kind: 'maximum' })]]);
    expect(await acting.dump()).toEqual(before);
  });

  test('of a redemption restores the floor of the share of each lot it burned', async () => {
    for (let n = 0; n < 2; n += 1, tick()) await earn(5);
    const id = await redeem(9);
    expect(await parts('burned')).toEqual([[5], [4]]);
    await acting.cancel(id, { value: 4 });
    expect(await parts('burned')).toEqual([[3], [3]]);
    await acting.cancel(id, { value: 4 });
    expect(await parts('burned')).toEqual([[1], [1]]);
    await acting.cancel(id);
    expect(await parts('burned', 'available')).toEqual([
      [0, 5],
      [0, 5],
    ]);
  });

  test('returns of one activity at once never give back more than it was worth', async () => {
    const id = await earn(10);
    const answers = await Promise.all(Array.from({ length: 8 }, () => acting.cancel(id, { value: 3 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422, 422, 422, 422, 422]);
    expect(await parts('reversed')).toEqual([[9]]);
  });
});
