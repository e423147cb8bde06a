import path from 'node:path';
import { fillDemo } from '#operations/demo/fillDemo';
import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer({ rulesDir: path.resolve(__dirname, '../../../rules'), ORG: 'test' });
  await fillDemo(server.services, server.services.org);
  await server.services.ruleSets.start();
});
afterAll(() => server.close());

const post = (body: object, query = '') => server.as('client').post(`/activity${query}`, body);
const balances = (answer: Awaited<ReturnType<typeof post>>) =>
  answer.body.member.purses.map(({ name, availBalance, escrowsIn }: Record<string, unknown>) => [
    name,
    availBalance,
    escrowsIn,
  ]);

test('a first purchase of 120 in the shop earns 120 Points and nothing else', async () => {
  const answer = await post({ type: 'Accrual', loyaltyID: 'L-1001', srcChannelType: 'POS', value: 120 });
  expect(answer.status).toBe(200);
  expect(answer.body.result.errors).toEqual([]);
  expect(balances(answer)).toEqual([
    ['Points', 120, 0],
    ['Bonus Points', 0, 0],
  ]);
});

test('a redemption of 100 leaves 20, and another one of 21 is refused with 2100', async () => {
  const answer = await post({ type: 'Redemption', loyaltyID: 'L-1001', value: 100 });
  expect(balances(answer)[0]).toEqual(['Points', 20, 0]);
  const refused = await post({ type: 'Redemption', loyaltyID: 'L-1001', value: 21 });
  expect(refused.body.result.errors).toEqual([expect.objectContaining({ code: 2100 })]);
  expect(balances(refused)[0]).toEqual(['Points', 20, 0]);
});

test('a large web order puts bonus points into escrow, beside at most 500 Points a day', async () => {
  const answer = await post({ type: 'Accrual', loyaltyID: 'L-1003', srcChannelType: 'Web', value: 12_500 });
  expect(balances(answer)[0]).toEqual(['Points', 500, 0]);
  expect(balances(answer)[1]?.slice(1)).toContain(1200);
});

test('a value above a million is refused with the message of the rule', async () => {
  const { body } = await post({ type: 'Accrual', loyaltyID: 'L-1001', value: 1_000_001 });
  expect(body.result.errors).toEqual([
    expect.objectContaining({ code: 2400, message: 'A value above 1,000,000 needs to be entered by hand' }),
  ]);
});

test('a review, an activity type of the demo, earns 25 Points once a week', async () => {
  const first = await post({ type: 'Review', loyaltyID: 'L-1002' });
  const second = await post({ type: 'Review', loyaltyID: 'L-1002' });
  expect([balances(first)[0], balances(second)[0]]).toEqual([
    ['Points', 25, 0],
    ['Points', 25, 0],
  ]);
});

test('products of the demo count by their category: tea twice, a gift card once', async () => {
  const lineItems = [
    { itemSKU: 'TEA-1', itemPrice: 9, quantity: 2 },
    { itemSKU: 'GIFT-25', itemPrice: 25, quantity: 1 },
  ];
  const answer = await post({ type: 'Accrual', loyaltyID: 'L-1002', srcChannelType: 'POS', lineItems });
  const fired = answer.body.result.log.map(({ results }: Record<string, unknown>) => results);
  expect(fired).toHaveLength(2);
  expect(balances(answer)[0]).toEqual(['Points', 25 + 43 + 18, 0]);
});

test('a phone order gets the better of two offers, and bonus points that wait 30 days', async () => {
  const date = '2026-03-02T12:00:00.000Z';
  const order = { type: 'Accrual', loyaltyID: 'L-1003', srcChannelType: 'CallCenter', value: 400, date };
  const { body } = await post(order, '?persist=false&asOf=2026-03-02T12:00:00.000Z&explain=true');
  const groupLost = body.ruleMatch.filter(({ reason }: Record<string, unknown>) => reason === 'groupLost');
  expect(groupLost.map(({ key }: Record<string, unknown>) => key)).toEqual(['phone-flat']);
  // 7:00 in New York: summer time has begun since the purchase.
  expect(body.member.purses[1].accruals[0].dtEscrowsOn).toBe('2026-04-01T11:00:00.000Z');
});
