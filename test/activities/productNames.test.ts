import fc from 'fast-check';
import { refusals } from '../support/refusals';
import { scaled, seedsOf } from '../support/scale';
import { earnRule, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

type Body = Record<string, unknown>;

let world: World;
let acting: ActivityApi;
const ids: Record<string, string> = {};
const skus = ['tea', 'pen', 'card', 'bag'];
const unknown = '0123456789abcdef01234567';

const amount = (fact: string, more: object = {}) => ({ of: { fact, ...more }, times: 1 });
const awarding = (key: string, condition: object, more: object = {}) => ({
  key,
  name: key,
  activityTypes: ['Accrual'],
  priority: 5,
  conditions: { all: [condition] },
  actions: [{ type: 'addPoints', purse: 'Points', points: 1 }],
  ...more,
});
const tagged = (field: string, ...searchStr: string[]) => ({
  inclusionParams: { [field]: { searchStr: searchStr.join() } },
});

/** Rules that look at line items and products in every manner. */
const rules = () => [
  earnRule,
  awarding('sku', { fact: 'lineItem', path: '$.itemSKU', operator: 'equal', value: 'tea' }, { perLine: true }),
  awarding('id', { fact: 'lineItem', path: '$.productId', operator: 'equal', value: ids.pen }, { perLine: true }),
  awarding('anySku', { fact: 'activity', path: '$.lineItems[*].itemSKU', operator: 'contains', value: 'bag' }),
  awarding('anyId', { fact: 'activity', path: '$.lineItems[*].productId', operator: 'contains', value: ids.card }),
  awarding('product', { fact: 'product', path: '$.category', operator: 'equal', value: 'drinks' }, { perLine: true }),
  awarding(
    'listed',
    { fact: 'lineItem', path: '$.itemSKU', operator: 'inNamedList', value: 'List' },
    { perLine: true },
  ),
  awarding(
    'eligible',
    { fact: 'eligibleAmount', operator: 'greaterThan', value: 0 },
    {
      actions: [{ type: 'addPoints', purse: 'Points', points: amount('eligibleAmount') }],
    },
  ),
  ...[tagged('category', 'office'), tagged('sku', 'tea', 'bag'), { inclusionparamsnamedList: ids.List }].map(
    (filter, index) =>
      awarding(
        `filter${index}`,
        { fact: 'eligibleQuantity', params: { filter }, operator: 'greaterThan', value: 0 },
        {
          actions: [{ type: 'addPoints', purse: 'Points', points: amount('eligibleQuantity', { params: { filter } }) }],
        },
      ),
  ),
  {
    ...awarding('capped', { fact: 'product', path: '$.sku', operator: 'notEqual', value: 'pen' }, { perLine: true }),
    limits: [{ what: 'times', per: 'member', period: 'transaction', max: 2, onExceed: 'skip' }],
  },
  {
    ...awarding('looks', { fact: 'activity', path: '$.value', operator: 'greaterThan', value: 3 }, { priority: 9 }),
    actions: [{ type: 'lookupProducts' }],
  },
  awarding('looked', {
    fact: 'activity',
    path: '$.lineItems[*].product.name',
    operator: 'contains',
    value: 'A pen',
  }),
  {
    ...awarding('offers', { fact: 'activity', path: '$.value', operator: 'greaterThan', value: 0 }),
    actions: [{ type: 'applyOffer', offer: 'DRINKS' }],
  },
];

beforeAll(async () => {
  world = await openWorld({ rules: [], policies: [{ primary: true }] });
  world.services.clock.set('2026-03-01T12:00:00.000Z');
  acting = activityApi(world);
  const define = async (path: string, body: Body) => {
    const answer = await world.server.as('admin').post(`/${path}`, body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    ids[String(body.sku ?? body.code ?? body.name)] = answer.body._id;
  };
  const program = world.program._id;
  await define('products', { sku: 'tea', name: 'Tea', category: 'drinks' });
  await define('products', { sku: 'pen', name: 'A pen', category: 'office' });
  await define('products', { sku: 'card', name: 'Gift card', category: 'office', excludeFromEarning: true });
  await define('products', { sku: 'bag', name: 'Bag' });
  await define('namedlists', { name: 'List', model: 'Product', ids: [ids.tea, ids.card] });
  await define('offers', {
    code: 'DRINKS',
    name: 'Drinks',
    program,
    productFilter: tagged('category', 'drinks'),
    discount: { type: 'multiplier', value: 3 },
  });
  await define('offers', {
    code: 'PEN',
    name: 'Pen',
    program,
    productFilter: { inclusionparamsnamedList: ids.List },
    discount: { type: 'points', value: 7 },
  });
  await world.publish(rules());
});
afterAll(() => world.close());

/** How a line item names its product. */
const namings = {
  itemSKU: (sku: string) => ({ itemSKU: sku }),
  productId: (sku: string) => ({ productId: ids[sku] }),
  both: (sku: string) => ({ itemSKU: sku, productId: ids[sku] }),
};
type Naming = keyof typeof namings;
const line = fc.record({
  sku: fc.constantFrom(...skus),
  naming: fc.constantFrom<Naming>('itemSKU', 'productId', 'both'),
  itemPrice: fc.integer({ min: 0, max: 9 }),
  quantity: fc.integer({ min: 0, max: 3 }),
  couponCode: fc.constantFrom(undefined, undefined, 'PEN'),
});
type Line = Parameters<Parameters<typeof line.map>[0]>[0];

const linesOf = (cart: readonly Line[], naming?: Naming) =>
  cart.map(({ sku, naming: own, ...item }) => ({ ...item, ...namings[naming ?? own](sku) }));

/** The answer of an evaluation without the ids that each evaluation makes anew. */
async function evaluated(memberID: unknown, lineItems: object[]) {
  const { status, body } = await acting.post({ type: 'Accrual', memberID, lineItems }, '?persist=false&explain=true');
  return JSON.parse(JSON.stringify({ status, ...body }, (key, value) => (key === 'accruals' ? value.length : value)));
}

const same = 'a line item means the same product by itemSKU, by productId and by both';
test.each(seedsOf(6))(`${same} (seed %i)`, async (seed) => {
  const member = await world.addMember();
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), async (cart) => {
      const bySku = await evaluated(member._id, linesOf(cart, 'itemSKU'));
      expect(bySku.status).toBe(200);
      expect(await evaluated(member._id, linesOf(cart))).toEqual(bySku);
      expect(await evaluated(member._id, linesOf(cart, 'productId'))).toEqual(bySku);
    }),
    { seed, numRuns: scaled(5, seed) },
  );
});

const cart: Line[] = skus.map((sku) => ({ sku, naming: 'both', itemPrice: 5, quantity: 2, couponCode: undefined }));

test.each<Naming>(['itemSKU', 'productId', 'both'])(
  'a purchase by %s is stored, explained and returned alike',
  async (naming) => {
    const member = await world.addMember();
    const id = await acting.processed('Accrual', member._id, { lineItems: linesOf(cart, naming) });
    const history = await acting.history(id);
    expect(history.lineItems).toMatchObject(
      cart.map(({ sku }) => ({ itemSKU: sku, productId: ids[sku], product: { sku } })),
    );
    const fired = (await world.server.as('client').get(`/activityhistories/${id}/explain`)).body.ruleMatch;
    expect(fired.filter((each: Body) => !each.fired)).toEqual([]);
    expect(await acting.balance(member._id)).toBe(total);
    const [one, other] = [{ productId: ids.tea, quantity: 1 }, { itemSKU: 'tea' }];
    expect((await acting.cancel(id, { lineItems: [one] })).body.result.errors).toEqual([]);
    expect((await acting.cancel(id, { lineItems: [other] })).body.result.errors).toEqual([]);
    expect((await acting.history(id)).lineItems[0]).toMatchObject({ returnedQuantity: 2, returnedValue: 10 });
    expect(await acting.mismatches()).toEqual([]);
  },
);

/**
 * By the rules: the value 40; a point each for the rules sku, id, anySku, anyId, product and looked; two lines listed;
 * 30 eligible; 2 of office without the card, 4 of tea and bag, 2 of the list without the card; two of three capped. The
 * offer triples the quarter that is drinks.
 */
const awarded = 40 + 6 + 2 + 30 + 2 + 4 + 2 + 2;
const total = awarded + Math.floor((awarded * 2 * 10) / 40);

describe('a productId', () => {
  const wrong: [string, Body[], string[]][] = [
    ['that names no product', [{}, { productId: unknown }], ['lineItems.1.productId reference']],
    ['of another product than itemSKU', [{ itemSKU: 'tea', productId: 'pen' }], ['lineItems.0.productId reference']],
    ['beside an unknown itemSKU', [{ itemSKU: 'nothing', productId: 'pen' }], ['lineItems.0.productId reference']],
    [
      'of several lines',
      [{ productId: unknown }, { productId: 'tea' }, { itemSKU: 'tea', productId: 'bag' }],
      ['lineItems.0.productId reference', 'lineItems.2.productId reference'],
    ],
  ];
  const lines = (input: Body[]) =>
    input.map((each) => ({
      ...each,
      ...(each.productId ? { productId: ids[String(each.productId)] ?? each.productId } : {}),
    }));

  test.each(wrong)('%s is 422 in every manner of posting, and nothing is written', async (_name, input, expected) => {
    const member = await world.addMember();
    const body = { type: 'Accrual', memberID: member._id, lineItems: lines(input) };
    const before = await acting.dump();
    for (const query of ['', '?persist=false', '?async=true']) {
      const answer = await acting.post(body, query);
      expect([query, answer.status, refusals(answer)]).toEqual([query, 422, expected]);
    }
    const bulk = await world.server.as('client').post('/activities/bulk?async=true', [body]);
    expect(refusals({ body: bulk.body[0].error })).toEqual(expected);
    expect(await acting.dump()).toEqual(before);
  });

  test('of another org is unknown', async () => {
    const foreign = await world.services.db.collection('products').findOne({ sku: 'tea' });
    const { _id: _, ...copy } = foreign ?? {};
    const { insertedId } = await world.services.db
      .collection('products')
      .insertOne({ ...copy, org: world.program._id, sku: 'there' });
    const member = await world.addMember();
    const answer = await acting.post({ type: 'Accrual', memberID: member._id, lineItems: [{ productId: insertedId }] });
    expect(refusals(answer)).toEqual(['lineItems.0.productId reference']);
  });

  test('that was deleted before an accepted activity is processed ends the activity in Error', async () => {
    const { body } = await world.server.as('admin').post('/products', { sku: 'short', name: 'Short' });
    const member = await world.addMember();
    const sent = {
      type: 'Accrual',
      memberID: member._id,
      externalTxnId: 'short',
      lineItems: [{ productId: body._id }],
    };
    expect((await acting.post(sent, '?async=true')).status).toBe(202);
    await world.server.as('admin').delete(`/products/${body._id}`);
    await acting.drain();
    const { status, result } = (await world.server.as('client').get('/activity/status/short')).body;
    expect([status, result.errors[0].errors[0].path]).toEqual(['Error', 'lineItems.0.productId']);
  });

  test.each<[string, Body, string]>([
    ['of no line of the activity', { productId: 'bag' }, 'lineItems.0.productId reference'],
    ['of another line than itemSKU', { itemSKU: 'tea', productId: 'pen' }, 'lineItems.0.itemSKU reference'],
  ])('%s returns nothing', async (_name, named, expected) => {
    const member = await world.addMember();
    const id = await acting.processed('Accrual', member._id, { lineItems: linesOf(cart.slice(0, 2), 'productId') });
    expect(refusals(await acting.cancel(id, { lineItems: lines([named]) }))).toEqual([expected]);
  });
});

test('an unknown itemSKU is no error and gets no product', async () => {
  const member = await world.addMember();
  const lineItems = [{ itemSKU: 'nothing', itemPrice: 5 }, { itemPrice: 5 }];
  const history = await acting.history(await acting.processed('Accrual', member._id, { lineItems }));
  expect(history.lineItems).toEqual(lineItems.map((item, n) => ({ _id: String(n + 1), ...item, itemAmount: 5 })));
});
