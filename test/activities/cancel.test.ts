import { ObjectId } from 'bson';
import type { Member } from '../../src/members/member';
import { openWorld, type World } from '../support/world';
import { type Acting, actingIn, codes, faults, lines } from './acting';
import { pursePolicies, purseRules } from './purses';

const day = 86_400_000;
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

describe('a cancel is refused, and nothing is written,', () => {
  test.each([
    [
      2300,
      'of what is cancelled',
      async () => {
        const id = await earn(5);
        await acting.cancel(id);
        return id;
      },
    ],
    [2310, 'of a Cancellation', async () => (await acting.cancel(await earn(5))).body.result.data.activityId],
    [
      2310,
      'of what ended in Error',
      async () => {
        const { body } = await acting.post({ type: 'Accrual', memberID: member._id, couponCode: 'nothing' });
        return body.result.data.activityId;
      },
    ],
  ])('with %d %s', async (code, _name, make) => {
    const id = await make();
    const before = await acting.dump();
    const answer = await acting.cancel(id, { externalTxnId: `refused-${id}` });
    expect([answer.status, codes(answer)]).toEqual([200, [code]]);
    expect(answer.body.result).toMatchObject({ data: { activityId: null, status: 'Error' }, log: { entries: [] } });
    expect(answer.body.member._id).toBe(member._id.toHexString());
    expect(await acting.dump()).toEqual(before);
  });

  test('with 2320 when the target does not meet validate', async () => {
    const id = await earn(5);
    const validate = (filter: object) => `?validate=${encodeURIComponent(JSON.stringify(filter))}`;
    expect(codes(await acting.cancel(id, {}, validate({ value: { $gt: 5 } })))).toEqual([2320]);
    expect(codes(await acting.cancel(id, {}, validate({ value: { $gte: 5 }, type: 'Accrual' })))).toEqual([]);
  });

  test.each([['{"nothing":1}'], ['{"$where":"1"}'], ['{"value":'], ['{"effects":{"$exists":true}}']])(
    'with 400 when validate is %s',
    async (validate) => {
      const id = await earn(5);
      const { status, body } = await acting.cancel(id, {}, `?validate=${encodeURIComponent(validate)}`);
      expect([status, body.code]).toEqual([400, 1210]);
      expect((await acting.history(id)).status).toBe('Processed');
    },
  );

  test('with 404 when another member owns the target, as argument or in the body', async () => {
    const id = await earn(5);
    const other = await world.addMember();
    expect((await acting.cancel(id, {}, `?memberId=${other._id}`)).status).toBe(404);
    expect((await acting.cancel(id, { memberID: other._id })).status).toBe(404);
    expect((await acting.cancel(id, { loyaltyID: other.loyaltyID })).status).toBe(404);
    expect((await acting.cancel(id, { loyaltyID: 'nobody' })).status).toBe(404);
    expect((await acting.post({ type: 'Cancellation', originalTxnId: id, memberID: other._id })).status).toBe(404);
    expect(codes(await acting.cancel(id, { loyaltyID: member.loyaltyID }, `?memberId=${member._id}`))).toEqual([]);
  });

  test('with 404 for an unknown id and 400 for one that is none', async () => {
    expect((await acting.cancel(new ObjectId().toHexString())).status).toBe(404);
    expect((await acting.cancel('none')).status).toBe(400);
  });
});

describe('a cancel by query', () => {
  const byQuery = (query: unknown, body: object = {}) =>
    acting.cancel('query', body, `?query=${encodeURIComponent(JSON.stringify(query))}`);
  const mine = (more: object = {}) => ({ memberID: member._id, type: 'Accrual', ...more });

  test('cancels all that it selects, an answer for each', async () => {
    for (const value of [5, 6, 7]) await earn(value);
    const { status, body } = await byQuery(mine({ value: { $gte: 6 } }));
    expect([status, body.length]).toEqual([200, 2]);
    for (const { result } of body) {
      expect(result).toMatchObject({
        data: { status: 'Processed' },
        errors: [],
        log: { entries: [{ action: 'giveBack' }] },
      });
    }
    expect((await acting.purse(member._id)).balance).toBe(5);
  });

  test('answers what one target refuses at its place and goes on with the others', async () => {
    for (const value of [5, 2, 6]) await earn(value);
    const { status, body } = await byQuery(mine(), { value: 3 });
    expect(status).toBe(200);
    const answered = body.map((answer: { result: { errors: { code: number }[] } }) => codes({ body: answer } as never));
    expect(answered).toEqual([[], [1200], []]);
    expect(body[1].result).toMatchObject({ log: { entries: [] }, data: { activityId: null, status: 'Error' } });
    expect((await acting.purse(member._id)).balance).toBe(7);
  });

  test('of none answers 404, without a filter 400', async () => {
    expect((await byQuery(mine())).status).toBe(404);
    expect((await byQuery({})).status).toBe(400);
    expect((await acting.cancel('query')).status).toBe(400);
  });

  test('of more than 100 answers 400 and cancels none', async () => {
    const body = Array.from({ length: 101 }, () => ({ type: 'Accrual', memberID: member._id, value: 1 }));
    await world.server.as('client').post('/activities/bulk?async=true', body);
    await acting.drain();
    expect((await byQuery(mine())).status).toBe(400);
    const { body: left } = await world.server
      .as('client')
      .get(`/activityhistories/count?memberID=${member._id}&status=Processed`);
    expect(left).toEqual({ count: 101 });
  });

  test('refuses a key that leaves no room for the ids', async () => {
    await earn(5);
    const answer = await byQuery(mine(), { externalTxnId: 'x'.repeat(231) });
    expect([answer.status, faults(answer)]).toEqual([422, ['externalTxnId maxLength']]);
  });
});

describe('restored points', () => {
  test('go back to the very lots that were burned', async () => {
    for (let n = 0; n < 3; n += 1, tick()) await earn(5);
    const id = await redeem(12);
    expect(await parts('burned')).toEqual([[5], [5], [2]]);
    const answer = await acting.cancel(id);
    expect(lines(answer)).toEqual([5, 5, 2].map((points) => ({ did: 'restored', points })));
    expect(await parts('burned', 'available')).toEqual([
      [0, 5],
      [0, 5],
      [0, 5],
    ]);
    expect(await acting.purse(member._id)).toMatchObject({ balance: 15, burnedPoints: 0 });
  });

  test('past their expiry expire in the same commit', async () => {
    await earn(10, { ext: { purse: 'Short' } });
    world.services.clock.advance(5 * day);
    const id = await acting.processed('Redemption', member._id, { value: 10, ext: { purse: 'Short' } });
    world.services.clock.advance(7 * day);
    const answer = await acting.cancel(id);
    expect(answer.body.member.purses.find(({ name }: { name: string }) => name === 'Short')).toMatchObject({
      balance: 0,
      expiredPoints: 10,
    });
    const entries = await world.services.db
      .collection('journal')
      .find({ member: member._id })
      .sort({ seq: 1 })
      .toArray();
    expect(entries.map(({ kind }) => kind)).toEqual(['accrue', 'burn', 'restore', 'expire']);
    const events = await world.services.db
      .collection('metricevents')
      .find({ 'entries.metric': 'pointsExpired' })
      .toArray();
    const expired = events.flatMap(({ entries: all }) => all).filter(({ metric }) => metric === 'pointsExpired');
    expect(expired).toEqual([expect.objectContaining({ value: 10, day: new Date('2026-03-11T00:00:00.000Z') })]);
  });

  test('lower the debt that the redemption made', async () => {
    await earn(10, { ext: { purse: 'Credit' } });
    const id = await acting.processed('Redemption', member._id, { value: 30, ext: { purse: 'Credit' } });
    expect(await acting.purse(member._id, 'Credit')).toMatchObject({ balance: -20, debt: 20 });
    const answer = await acting.cancel(id);
    expect(lines(answer)).toEqual([
      { did: 'restored', points: 10 },
      { did: 'debtLowered', points: 20 },
    ]);
    expect(await acting.purse(member._id, 'Credit')).toMatchObject({ balance: 10, debt: 0 });
  });

  test('of a debt repaid meanwhile go to the lots that repaid it, the latest first', async () => {
    const credit = { ext: { purse: 'Credit' } };
    await earn(10, credit);
    const id = await acting.processed('Redemption', member._id, { value: 30, ...credit });
    for (const value of [5, 8, 12]) {
      tick();
      await earn(value, credit);
    }
    expect(await parts('burned')).toEqual([[10], [5], [8], [7]]);
    const half = await acting.cancel(id, { value: 15 });
    expect(lines(half).map(({ points }) => points)).toEqual([5, 7, 3]);
    expect(await parts('burned')).toEqual([[5], [5], [5], [0]]);
    await acting.cancel(id);
    expect(await parts('burned', 'available')).toEqual([
      [0, 10],
      [0, 5],
      [0, 8],
      [0, 12],
    ]);
    expect(await acting.purse(member._id, 'Credit')).toMatchObject({ balance: 35, debt: 0, burnedPoints: 0 });
  });
});
