import { codes } from './activityApi';
import { metricCommits } from './metricCommits';
import { purseWorld } from './purseWorld';

const start = new Date('2026-03-01T12:00:00.000Z');

const at = purseWorld();
beforeAll(() => at.open());
beforeEach(() => at.begin());
afterAll(() => at.close());
const { earn, redeem, parts, tick } = at;

describe('a cancel of the whole', () => {
  test('makes a Cancellation with the target as originalTxnId and logs what it gave back as entries', async () => {
    const id = await earn(40, { loyaltyID: at.member.loyaltyID });
    const answer = await at.acting.cancel(id);
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
    expect(await at.acting.history(activityId)).toMatchObject({
      type: 'Cancellation',
      status: 'Processed',
      value: 40,
      originalTxnId: id,
      memberID: at.member._id.toHexString(),
      loyaltyID: at.member.loyaltyID,
    });
    expect((await at.acting.history(id)).status).toBe('Cancelled');
    expect(await parts('reversed', 'available')).toEqual([[40, 0]]);
    expect(await at.acting.purse(at.member._id)).toMatchObject({ balance: 0, debt: 0, accruedPoints: 40 });
  });

  test('keeps the key-values of its body', async () => {
    const id = await earn(40);
    const sent = { type: 'Cancellation', value: 15, couponCode: 'TEN', srcChannelType: 'Web', ext: { why: 'broken' } };
    const { body } = await at.acting.cancel(id, sent);
    expect(body.result.errors).toEqual([]);
    expect(await at.acting.history(body.result.data.activityId)).toMatchObject({ ...sent, originalTxnId: id });
    expect(await at.acting.balance(at.member._id)).toBe(25);
  });

  test('has the same effect when it is posted as an activity of type Cancellation', async () => {
    const id = await earn(40);
    const { status, body } = await at.acting.post({ type: 'Cancellation', originalTxnId: id, memberID: at.member._id });
    expect([status, body.result.data.status]).toEqual([200, 'Processed']);
    expect(body.result.log).toEqual([expect.objectContaining({ action: 'giveBack' })]);
    expect((await at.acting.history(id)).status).toBe('Cancelled');
    expect(await at.acting.balance(at.member._id)).toBe(0);
  });

  test('of an activity without value and effect works too', async () => {
    const id = await at.acting.processed('Enrollment', at.member._id);
    const answer = await at.acting.cancel(id);
    expect([codes(answer), answer.body.result.log.entries]).toEqual([[], []]);
    expect((await at.acting.history(id)).status).toBe('Cancelled');
  });

  test('of a member that was suspended in the meantime still takes its points back', async () => {
    const id = await earn(40);
    await at.world.server.as('admin').patch(`/members/${at.member._id}`, { status: 'Suspended' });
    expect(codes(await at.acting.cancel(id))).toEqual([]);
    expect(await at.acting.balance(at.member._id)).toBe(0);
  });

  test('subtracts the metrics in the periods of the original, and leaves no purchase counted', async () => {
    const id = await earn(40, { date: '2026-01-15T23:00:00.000Z' });
    await at.acting.cancel(id, { date: '2026-02-20T10:00:00.000Z' });
    const signed = (sign: number) =>
      expect.arrayContaining([
        ['spend', sign * 40, '2026-01-15'],
        ['visits', sign, '2026-01-15'],
        ['pointsEarned', sign * 40, '2026-01-15'],
        ['pointsEarned:Points', sign * 40, '2026-01-15'],
      ]);
    expect(await metricCommits(at.world.services.db, at.member._id)).toEqual([signed(1), signed(-1)]);
    const { body } = await at.world.server.as('client').get(`/members/${at.member._id}`);
    const left = body.aggregates.map(({ metricAggValue }: { metricAggValue: number }) => metricAggValue);
    expect(left.every((value: number) => value === 0)).toBe(true);
    const stored = await at.world.services.db.collection('members').findOne({ _id: at.member._id });
    expect(stored?.processedAccruals).toBe(0);
  });
});

describe('a partial return', () => {
  test('takes the rounded down share of each lot over several returns, and ends Cancelled when all is back', async () => {
    const id = await earn(10, { ext: { purse: 'Points', bonus: true } });
    expect(await at.acting.balance(at.member._id)).toBe(17);
    await at.acting.cancel(id, { value: 3 });
    expect(await parts('accrued', 'reversed')).toEqual(
      expect.arrayContaining([
        [10, 3],
        [7, 2],
      ]),
    );
    expect(await at.acting.history(id)).toMatchObject({ status: 'Processed' });
    await at.acting.cancel(id, { value: 4 });
    expect(await parts('accrued', 'reversed')).toEqual(
      expect.arrayContaining([
        [10, 7],
        [7, 4],
      ]),
    );
    const last = await at.acting.cancel(id);
    expect((await at.acting.history(last.body.result.data.activityId)).value).toBe(3);
    expect(await parts('accrued', 'reversed')).toEqual(
      expect.arrayContaining([
        [10, 10],
        [7, 7],
      ]),
    );
    expect((await at.acting.history(id)).status).toBe('Cancelled');
    expect(codes(await at.acting.cancel(id))).toEqual([2300]);
  });

  test('of more than what is left answers 422 and changes nothing', async () => {
    const id = await earn(10);
    await at.acting.cancel(id, { value: 8 });
    const before = await at.acting.dump();
    const { status, body } = await at.acting.cancel(id, { value: 3 });
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ path: 'value', kind: 'maximum' })]]);
    expect(await at.acting.dump()).toEqual(before);
  });

  test('of a redemption restores its rounded down share to the burned lots in their order', async () => {
    for (let n = 0; n < 2; n += 1, tick()) await earn(3);
    const id = await redeem(6);
    for (let returned = 1; returned <= 6; returned += 1) {
      await at.acting.cancel(id, { value: 1 });
      const first = Math.min(3, returned);
      expect(await parts('burned', 'available')).toEqual([
        [3 - first, first],
        [6 - returned - (3 - first), returned - first],
      ]);
    }
    expect((await at.acting.history(id)).status).toBe('Cancelled');
  });

  test('several at once never gives back more than the activity was worth', async () => {
    const id = await earn(10);
    const answers = await Promise.all(Array.from({ length: 8 }, () => at.acting.cancel(id, { value: 3 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422, 422, 422, 422, 422]);
    expect(await parts('reversed')).toEqual([[9]]);
  });
});

test('the ledgers agree after all of these tests', async () => {
  expect(await at.mismatches()).toEqual([]);
});
