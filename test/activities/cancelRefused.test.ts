import { ObjectId } from 'bson';
import { refusals } from '../support/refusals';
import { codes } from './activityApi';
import { purseWorld } from './purseWorld';

const at = purseWorld();
beforeAll(() => at.open());
beforeEach(() => at.begin());
afterAll(() => at.close());
const { earn } = at;

describe('a cancel is refused, and nothing is written,', () => {
  test.each([
    [
      2300,
      'of what is cancelled',
      async () => {
        const id = await earn(5);
        await at.acting.cancel(id);
        return id;
      },
    ],
    [2310, 'of a Cancellation', async () => (await at.acting.cancel(await earn(5))).body.result.data.activityId],
    [
      2310,
      'of what ended in Error',
      async () => {
        const { body } = await at.acting.post({ type: 'Accrual', memberID: at.member._id, couponCode: 'nothing' });
        return body.result.data.activityId;
      },
    ],
  ])('with %d %s', async (code, _name, make) => {
    const id = await make();
    const before = await at.acting.dump();
    const answer = await at.acting.cancel(id, { externalTxnId: `refused-${id}` });
    expect([answer.status, codes(answer)]).toEqual([200, [code]]);
    expect(answer.body.result).toMatchObject({ data: { activityId: null, status: 'Error' }, log: { entries: [] } });
    expect(answer.body.member._id).toBe(at.member._id.toHexString());
    expect(await at.acting.dump()).toEqual(before);
  });

  test('with 2320 when the target does not meet validate', async () => {
    const id = await earn(5);
    const validate = (filter: object) => `?validate=${encodeURIComponent(JSON.stringify(filter))}`;
    expect(codes(await at.acting.cancel(id, {}, validate({ value: { $gt: 5 } })))).toEqual([2320]);
    expect(codes(await at.acting.cancel(id, {}, validate({ value: { $gte: 5 }, type: 'Accrual' })))).toEqual([]);
  });

  test.each([['{"nothing":1}'], ['{"$where":"1"}'], ['{"value":'], ['{"effects":{"$exists":true}}']])(
    'with 400 when validate is %s',
    async (validate) => {
      const id = await earn(5);
      const { status, body } = await at.acting.cancel(id, {}, `?validate=${encodeURIComponent(validate)}`);
      expect({ status, body }).toBeRefused(400, 1210);
      expect(body.message).toContain('validate');
      expect((await at.acting.history(id)).status).toBe('Processed');
    },
  );

  test('with 404 when another member owns the target, as argument or in the body', async () => {
    const id = await earn(5);
    const other = await at.world.addMember();
    expect((await at.acting.cancel(id, {}, `?memberId=${other._id}`)).status).toBe(404);
    expect((await at.acting.cancel(id, { memberID: other._id })).status).toBe(404);
    expect((await at.acting.cancel(id, { loyaltyID: other.loyaltyID })).status).toBe(404);
    expect((await at.acting.cancel(id, { loyaltyID: 'nobody' })).status).toBe(404);
    expect((await at.acting.post({ type: 'Cancellation', originalTxnId: id, memberID: other._id })).status).toBe(404);
    expect(codes(await at.acting.cancel(id, { loyaltyID: at.member.loyaltyID }, `?memberId=${at.member._id}`))).toEqual(
      [],
    );
  });

  test('with 404 for an unknown id and 400 for one that is none', async () => {
    expect((await at.acting.cancel(new ObjectId().toHexString())).status).toBe(404);
    expect((await at.acting.cancel('none')).status).toBe(400);
  });
});

describe('a cancel by query', () => {
  const byQuery = (query: unknown, body: object = {}) =>
    at.acting.cancel('query', body, `?query=${encodeURIComponent(JSON.stringify(query))}`);
  const mine = (more: object = {}) => ({ memberID: at.member._id, type: 'Accrual', ...more });

  test('cancels every selected activity, with an answer for each', async () => {
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
    expect(await at.acting.balance(at.member._id)).toBe(5);
  });

  test('answers the refusal of one target at its position and continues with the others', async () => {
    for (const value of [5, 2, 6]) await earn(value);
    const { status, body } = await byQuery(mine(), { value: 3 });
    expect(status).toBe(200);
    const answered = body.map((answer: { result: { errors: { code: number }[] } }) => codes({ body: answer } as never));
    expect(answered).toEqual([[], [1200], []]);
    expect(body[1].result).toMatchObject({ log: { entries: [] }, data: { activityId: null, status: 'Error' } });
    expect(await at.acting.balance(at.member._id)).toBe(7);
  });

  test('answers 404 when it selects nothing, and 400 without a filter', async () => {
    expect((await byQuery(mine())).status).toBe(404);
    expect((await byQuery({})).status).toBe(400);
    expect((await at.acting.cancel('query')).status).toBe(400);
  });

  test('answers 404 when it does not select the activity of the id beside it', async () => {
    const id = await earn(5);
    const other = await earn(6);
    const cancel = (query: string) => at.acting.cancel(id, {}, `?query=${encodeURIComponent(query)}`);
    expect((await cancel(JSON.stringify({ _id: other }))).status).toBe(404);
    expect((await cancel('{"$where":"1"}')).status).toBe(400);
    expect((await cancel('{}')).status).toBe(400);
    expect((await at.acting.history(id)).status).toBe('Processed');
    expect(codes(await cancel(JSON.stringify({ value: 5, memberID: at.member._id })))).toEqual([]);
    expect([(await at.acting.history(id)).status, (await at.acting.history(other)).status]).toEqual([
      'Cancelled',
      'Processed',
    ]);
  });

  test('answers 400 and cancels nothing when it selects more than 100', async () => {
    const body = Array.from({ length: 101 }, () => ({ type: 'Accrual', memberID: at.member._id, value: 1 }));
    await at.world.server.as('client').post('/activities/bulk?async=true', body);
    await at.acting.drain();
    expect((await byQuery(mine())).status).toBe(400);
    const { body: left } = await at.world.server
      .as('client')
      .get(`/activityhistories/count?memberID=${at.member._id}&status=Processed`);
    expect(left).toEqual({ count: 101 });
  });

  test('refuses a key that is too long to append the ids', async () => {
    await earn(5);
    const answer = await byQuery(mine(), { externalTxnId: 'x'.repeat(231) });
    expect([answer.status, refusals(answer)]).toEqual([422, ['externalTxnId maxLength']]);
  });
});

test('the ledgers agree after all of these tests', async () => {
  expect(await at.mismatches()).toEqual([]);
});
