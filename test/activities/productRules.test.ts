import { earnRule, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

const amount = (fact: string, more: object = {}) => ({ of: { fact, ...more }, times: 1 });
const coffeeRule = {
  key: 'coffee',
  name: 'Coffee counts twice',
  activityTypes: ['Accrual'],
  perLine: true,
  conditions: { all: [{ fact: 'product', path: '$.category', operator: 'equal', value: 'Coffee' }] },
  actions: [{ type: 'addPoints', purse: 'Bonus', points: amount('lineItem', { path: '$.itemAmount' }) }],
};
const awarding = (key: string, condition: object) => ({
  key,
  name: key,
  activityTypes: ['Accrual'],
  conditions: { all: [condition] },
  actions: [{ type: 'addPoints', purse: 'Bonus', points: 1 }],
});
const lineItems = [
  { itemSKU: 'E', itemPrice: 3, quantity: 2 },
  { itemSKU: 'E', itemPrice: 3, quantity: 1 },
  { itemSKU: 'T', itemPrice: 5, quantity: 1 },
  { itemSKU: 'G', itemPrice: 100, quantity: 1 },
];

let world: World;
let acting: ActivityApi;
const ids: Record<string, string> = {};
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule], policies: [{ name: 'Points' }, { name: 'Bonus' }] });
  acting = activityApi(world);
  const manager = world.server.as('program-manager');
  const make = async (path: string, body: Record<string, unknown>) => {
    const response = await manager.post(path, body);
    expect(response.status).toBe(201);
    ids[String(body.sku ?? body.number ?? body.name)] = response.body._id;
  };
  await make('/products', { sku: 'E', name: 'Espresso', category: 'Coffee' });
  await make('/products', { sku: 'T', name: 'Tea', category: 'Tea' });
  await make('/products', { sku: 'G', name: 'Gift card', category: 'Coffee', excludeFromEarning: true });
  await make('/locations', { number: 'S1', name: 'Main Street', tags: ['big'] });
  await make('/namedlists', { name: 'Teas', model: 'Product', kind: 'query', query: { category: 'Tea' } });
  await make('/namedlists', { name: 'Stores', model: 'Location', ids: [ids.S1] });
});
afterAll(() => world.close());

/**
 * Publishes rules and posts one purchase.
 * @returns its history
 */
async function buy(rules: Record<string, unknown>[], fields: Record<string, unknown> = {}) {
  await world.publish(rules);
  const member = await world.addMember();
  const history = await acting.history(await acting.processed('Accrual', member._id, { lineItems, ...fields }));
  const bonus = await acting.balance(member._id, 'Bonus');
  return { member, history, bonus };
}

test('a rule for line items makes an accrual item for each that holds, and a cancel takes all of them back', async () => {
  const { member, history, bonus } = await buy([coffeeRule]);

  expect(bonus).toBe(6 + 3 + 100);
  const items = await acting.lots(member._id);
  expect(items.map(({ accruedPoints }: { accruedPoints: number }) => accruedPoints).sort()).toEqual([100, 3, 6]);
  expect(history.ruleMatch).toMatchObject([{ key: 'coffee', fired: true, desired: 109, granted: 109 }]);
  await acting.cancel(history._id);
  expect(await acting.balance(member._id, 'Bonus')).toBe(0);
  expect(await acting.mismatches()).toEqual([]);
});

test('a limit is kept over the line items of many purchases at once', async () => {
  const limits = [{ what: 'points', per: 'program', period: 'lifetime', max: 50, onExceed: 'reduce' }];
  await world.publish([{ ...coffeeRule, key: 'limited', limits }]);
  const member = await world.addMember();
  const lines = lineItems.slice(0, 2);

  await Promise.all(Array.from({ length: 12 }, () => acting.processed('Accrual', member._id, { lineItems: lines })));

  expect(await acting.balance(member._id, 'Bonus')).toBe(50);
});

test('line items of a history have products only when a rule looks them up', async () => {
  const shows = (await buy([coffeeRule])).history;
  expect(shows.lineItems[0]).not.toHaveProperty('product');
  const lower = awarding('tea', {
    fact: 'activity',
    path: '$.lineItems[*].product.name',
    operator: 'contains',
    value: 'Tea',
  });
  const looks = {
    key: 'looks',
    name: 'Looks',
    activityTypes: ['Accrual'],
    priority: 9,
    actions: [{ type: 'lookupProducts' }],
  };

  const { history, bonus } = await buy([looks, lower], {
    lineItems: [...lineItems, { itemSKU: 'nobody', quantity: 1 }],
  });

  expect(bonus).toBe(1);
  expect(history.lineItems[2].product).toEqual({
    _id: ids.T,
    sku: 'T',
    name: 'Tea',
    category: 'Tea',
    excludeFromEarning: false,
  });
  expect(history.lineItems[4]).not.toHaveProperty('product');
  expect(history.result.log).toMatchObject([
    { action: 'lookupProducts', results: { lineItems: 5, products: 4 } },
    { action: 'addPoints' },
  ]);
});

test('the eligible amount is that of the products that a filter selects, by a named list too', async () => {
  const eligible = (key: string, filter?: object) => ({
    ...awarding(key, {
      fact: 'eligibleQuantity',
      ...(filter ? { params: { filter } } : {}),
      operator: 'greaterThan',
      value: 0,
    }),
    actions: [
      { type: 'addPoints', purse: 'Bonus', points: amount('eligibleAmount', filter ? { params: { filter } } : {}) },
    ],
  });
  expect((await buy([eligible('all')])).bonus).toBe(14);
  expect((await buy([eligible('coffee', { inclusionParams: { category: { searchStr: 'Coffee' } } })])).bonus).toBe(9);
  expect((await buy([eligible('teas', { inclusionparamsnamedList: ids.Teas })])).bonus).toBe(5);
});

test('named lists hold records by their natural keys at the time of the activity', async () => {
  const teas = awarding('teas', {
    fact: 'activity',
    path: '$.lineItems[*].itemSKU',
    operator: 'someFact:inNamedList',
    value: 'Teas',
  });
  const stores = awarding('stores', {
    fact: 'activity',
    path: '$.srcChannelID',
    operator: 'inNamedList',
    value: 'Stores',
  });
  const byId = awarding('byId', { fact: 'location', path: '$._id', operator: 'inNamedList', value: 'Stores' });

  expect((await buy([teas, stores, byId], { srcChannelID: 'S1' })).bonus).toBe(3);
  expect((await buy([teas, stores, byId], { srcChannelID: 'S2', lineItems: lineItems.slice(0, 2) })).bonus).toBe(0);
  const manager = world.server.as('program-manager');
  await manager.put(`/namedlists/${ids.Stores}`, { ids: [] });
  await manager.put(`/products/${ids.E}`, { category: 'Tea' });
  expect((await buy([teas, stores, byId], { srcChannelID: 'S1', lineItems: lineItems.slice(0, 2) })).bonus).toBe(1);
});

test('rules read the location of an activity', async () => {
  const big = awarding('big', { fact: 'location', path: '$.tags', operator: 'contains', value: 'big' });
  expect((await buy([big], { srcChannelID: 'S1' })).bonus).toBe(1);
  expect((await buy([big], { srcChannelID: 'nowhere' })).bonus).toBe(0);
});
