import type { ConsoleWorld } from './consoleWorld';

/** Posts a purchase of coffee and a mug for a new member, by which it gets 52 points, and 36 for the coffee. */
export async function memberWithPurchase(world: ConsoleWorld, loyaltyID: string, firstName: string) {
  const api = world.server.as('admin');
  const [program] = (await api.get('/programs')).body;
  const { body: member } = await api.post('/members', {
    program: program._id,
    loyaltyID,
    firstName,
    lastName: 'Weiss',
  });
  const lineItems = [
    { itemSKU: 'ESP-1', itemPrice: 12, quantity: 3 },
    { itemSKU: 'MUG-1', itemPrice: 8, quantity: 2 },
  ];
  const { body: posted } = await api.post('/activity', {
    type: 'Accrual',
    srcChannelType: 'POS',
    loyaltyID,
    lineItems,
  });
  return { member, activity: posted.result.data.activityId, api };
}
