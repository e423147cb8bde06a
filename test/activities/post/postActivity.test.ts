import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

let world: World;

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
});

afterAll(() => world.close());

const post = (body: Record<string, unknown>, query = '') => world.server.as('client').post(`/activity${query}`, body);

test('a purchase earns points, and the answer shows result and member', async () => {
  const member = await world.addMember();
  const { status, body } = await post({ type: 'Accrual', loyaltyID: member.loyaltyID, value: 120 });
  expect(status).toBe(200);
  expect(body.result.errors).toEqual([]);
  expect(body.result.data).toMatchObject({ status: 'Processed', activityId: expect.stringMatching(/^[0-9a-f]{24}$/) });
  expect(body.result.log).toEqual([
    expect.objectContaining({
      action: 'addPoints',
      type: 'Accrual',
      results: expect.objectContaining({ balance: 120 }),
    }),
  ]);
  expect(body.member).toMatchObject({ _id: member._id.toHexString(), loyaltyID: member.loyaltyID });
  expect(body.member.purses[0]).toMatchObject({ name: 'Points', balance: 120, availBalance: 120, accruedPoints: 120 });
  expect(body.member.purses[0].accruals[0]).toMatchObject({
    accruedPoints: 120,
    availablePoints: 120,
    state: 'available',
  });
});

test('a redemption burns the available points and is refused beyond them', async () => {
  const member = await world.addMember();
  await post({ type: 'Accrual', loyaltyID: member.loyaltyID, value: 50 });
  const burned = await post({ type: 'Redemption', loyaltyID: member.loyaltyID, value: 30 });
  expect(burned.body.member.purses[0]).toMatchObject({ balance: 20, burnedPoints: 30 });
  const refused = await post({ type: 'Redemption', loyaltyID: member.loyaltyID, value: 21 });
  expect(refused.status).toBe(200);
  expect(refused.body.result.errors).toEqual([expect.objectContaining({ code: 2100, status: 422 })]);
  expect(refused.body.result.data.status).toBe('Error');
  expect(refused.body.member.purses[0]).toMatchObject({ balance: 20 });
});

test('a repeated key has one effect, and its first answer marked as replayed', async () => {
  const member = await world.addMember();
  const body = { type: 'Accrual', loyaltyID: member.loyaltyID, value: 5, externalTxnId: 'key-1' };
  const first = await post(body);
  const second = await post(body);
  expect(second.body.result).toEqual(first.body.result);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.body.member.purses[0].balance).toBe(5);
  const other = await post({ ...body, value: 6 });
  expect(other.status).toBe(422);
  expect(other.body.errors).toEqual([expect.objectContaining({ kind: 'unique', path: 'externalTxnId' })]);
});

test('persist=false answers what would happen, and writes nothing', async () => {
  const member = await world.addMember();
  const dry = await post({ type: 'Accrual', loyaltyID: member.loyaltyID, value: 7 }, '?persist=false&explain=true');
  expect(dry.body.result.data).toMatchObject({ activityId: null, status: 'Processed' });
  expect(dry.body.member.purses[0].balance).toBe(7);
  expect(dry.body.ruleMatch).toEqual([expect.objectContaining({ key: 'earn', fired: true })]);
  const { body } = await world.server.as('client').get(`/activityhistories?memberID=${member._id}`);
  expect(body).toEqual([]);
});

test('cancelling a purchase takes its points back once', async () => {
  const member = await world.addMember();
  const { body } = await post({ type: 'Accrual', loyaltyID: member.loyaltyID, value: 40 });
  const id = body.result.data.activityId;
  const cancelled = await world.server.as('client').post(`/activity/${id}/cancel`, { type: 'Cancellation' });
  expect(cancelled.status).toBe(200);
  expect(cancelled.body.result.data).toMatchObject({ status: 'Processed' });
  expect(cancelled.body.result.log.entries).toHaveLength(1);
  expect(cancelled.body.member.purses[0].balance).toBe(0);
  const again = await world.server.as('client').post(`/activity/${id}/cancel`);
  expect(again.body.result).toMatchObject({ data: { activityId: null, status: 'Error' }, errors: [{ code: 2300 }] });
  const history = await world.server.as('client').get(`/activityhistories/${id}`);
  expect(history.body.status).toBe('Cancelled');
});
