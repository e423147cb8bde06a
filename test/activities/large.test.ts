import type { Response } from '../support/client';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

let world: World;
let acting: ActivityApi;

/** The number of accrual items that one purchase makes. */
const itemsOfPurchase = 10;
const [addPoint] = earnRule.actions;
const manyItemsRule = {
  ...earnRule,
  key: 'many',
  name: 'Accrual items of a point each',
  conditions: { all: [{ fact: 'activity', path: '$.ext.many', operator: 'equal', value: true }] },
  actions: Array.from({ length: itemsOfPurchase }, () => addPoint),
};
const plainRule = {
  ...earnRule,
  conditions: { all: [{ fact: 'activity', path: '$.ext.many', operator: 'notEqual', value: true }] },
};

beforeAll(async () => {
  world = await openWorld({ rules: [plainRule, manyItemsRule, redeemRule] });
  acting = activityApi(world);
});

afterAll(() => world.close());

const bulk = async (activity: object, count: number) => {
  const body = Array.from({ length: count }, () => activity);
  const { status } = await world.server.as('client').post('/activities/bulk?async=true', body);
  expect(status).toBe(202);
};

test('activities of almost a megabyte each are processed, though a command cannot hold all of them', async () => {
  const member = await world.addMember();
  const large = { type: 'Accrual', memberID: member._id, value: 1, ext: { note: 'x'.repeat(900_000) } };
  await Promise.all([bulk(large, 16), bulk(large, 16)]);
  await acting.drain();
  expect(await acting.purse(member._id)).toMatchObject({ balance: 32 });
  expect(await acting.mismatches()).toEqual([]);
});

test('a redemption that burns 6,000 accrual items is processed, and cancelled again', async () => {
  const member = await world.addMember();
  await bulk({ type: 'Accrual', memberID: member._id, value: 1, ext: { many: true } }, 6_000 / itemsOfPurchase);
  await acting.drain();
  const items = world.services.db.collection('accrualitems');
  expect(await items.countDocuments({ member: member._id, availablePoints: 1 })).toBe(6_000);
  const redemption = { type: 'Redemption', memberID: member._id, value: 6_000, externalTxnId: 'large redemption' };
  const redeemed = await answered(() => world.server.as('client').post('/activity', redemption));
  expect(redeemed.body.result.data.status).toBe('Processed');
  expect(await acting.purse(member._id)).toMatchObject({ balance: 0, burnedPoints: 6_000 });
  const path = `/activity/${redeemed.body.result.data.activityId}/cancel`;
  const cancelled = await answered(() =>
    world.server.as('client').post(path, { type: 'Cancellation', externalTxnId: 'large cancellation' }),
  );
  expect(cancelled.body.result.data.status).toBe('Processed');
  expect(await acting.purse(member._id)).toMatchObject({ balance: 6_000, burnedPoints: 0 });
}, 180_000);

/**
 * The final answer to a request. A request that takes longer than 5 s is answered with 503; sending it again with the
 * same key gives its result.
 */
async function answered(send: () => Promise<Response>): Promise<Response> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const response = await send();
    if (![503, 409].includes(response.status) || performance.now() > deadline) return response;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
