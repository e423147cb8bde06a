import { message } from '#base/common/messages/message';
import type { Member } from '#records/members/member';
import { ruleWhen } from '../support/ruleWhen';
import { addOffer, earnRule, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

const applies = (key: string, ...offers: string[]) =>
  ruleWhen(key, { actions: offers.map((offer) => ({ type: 'applyOffer', offer })) });

let world: World;
let acting: ActivityApi;
let member: Member;

const limit = async (offerLimits: object | null) => {
  const answer = await world.server.as('admin').put(`/programs/${world.program._id}`, { offerLimits });
  expect(answer.status).toBe(200);
};

beforeAll(async () => {
  world = await openWorld({ rules: [], policies: [{ primary: true }] });
  acting = activityApi(world);
  for (const [sku, category, brand] of [
    ['tea', 'drinks', 'Leaf'],
    ['cola', 'drinks', 'Fizz'],
    ['pen', 'office', 'Leaf'],
  ]) {
    await world.server.as('admin').post('/products', { sku, name: sku, category, brand });
  }
  const percent = (value: number) => ({ type: 'percent', value });
  await addOffer(world, 'TENTH', { discount: percent(10), perLine: true });
  await addOffer(world, 'DRINKS', {
    discount: percent(30),
    perLine: true,
    productFilter: {
      inclusionParams: { category: { searchStr: 'drinks' }, brand: { searchStr: 'Fizz', isIncluded: false } },
    },
  });
  await addOffer(world, 'TWO', { discount: { type: 'points', value: 2 }, perLine: true });
  await addOffer(world, 'CAPPED', { discount: { ...percent(50), max: 40 }, perLine: true });
  await addOffer(world, 'BASKET', { discount: { type: 'amount', value: 100 }, excludes: { all: true } });
  await addOffer(world, 'SCARCE', {
    discount: { type: 'points', value: 1 },
    uses: { total: 10 },
    stackGroup: 'scarce',
  });
  await addOffer(world, 'RIVAL', { discount: { type: 'points', value: 2 }, uses: { total: 5 }, stackGroup: 'scarce' });
  await world.publish([
    { ...earnRule },
    applies('lines', 'TENTH', 'DRINKS'),
    applies('points', 'TWO', 'TENTH'),
    applies('basket', 'TENTH', 'BASKET'),
    applies('scarce', 'SCARCE', 'RIVAL'),
  ]);
});

beforeEach(async () => {
  member = await world.addMember();
});

afterEach(async () => {
  await limit(null);
  expect(await acting.mismatches()).toEqual([]);
});

afterAll(() => world.close());

const items = [
  { itemSKU: 'tea', itemPrice: 101, quantity: 1 },
  { itemSKU: 'cola', itemPrice: 209, quantity: 1 },
  { itemSKU: 'pen', itemPrice: 95, quantity: 1 },
];
const bought = async (rule: string, fields: Record<string, unknown> = {}) =>
  acting.history(await acting.processed('Accrual', member._id, { lineItems: items, ext: { rule }, ...fields }));

test('an offer for each line item is computed, capped and rounded down for each by itself', async () => {
  const { bestOffers } = await bought('none', { couponCode: 'CAPPED' });
  expect(bestOffers).toEqual([
    expect.objectContaining({
      code: 'CAPPED',
      discount: 120,
      points: 0,
      lineItems: [0, 1, 2].map((position) => ({ position, discount: 40, points: 0 })),
    }),
  ]);
});

test('each line item takes the best offer, and none whose filter excludes its product', async () => {
  await limit({ perLine: 1 });
  const { bestOffers } = await bought('lines');
  expect(bestOffers).toMatchObject([
    { code: 'DRINKS', discount: 30, lineItems: [{ position: 0, discount: 30 }] },
    {
      code: 'TENTH',
      discount: 29,
      lineItems: [
        { position: 1, discount: 20 },
        { position: 2, discount: 9 },
      ],
    },
  ]);
});

test('without a limit, a line item takes all offers', async () => {
  const { bestOffers } = await bought('lines');
  expect(bestOffers).toMatchObject([
    { code: 'DRINKS', discount: 30 },
    { code: 'TENTH', discount: 39 },
  ]);
});

test('a line item that names an offer shows what the offer gave', async () => {
  await limit({ perLine: 1 });
  const lineItems = items.map((item, n) => (n === 1 ? item : { ...item, couponCode: 'TENTH' }));
  const history = await bought('none', { couponCode: 'DRINKS', lineItems });
  const coupons = history.lineItems.map(({ coupon }: { coupon?: { discount?: number } }) => coupon?.discount);
  expect(coupons).toEqual([undefined, undefined, 9]);
  expect(history.bestOffers).toMatchObject([
    { code: 'DRINKS', lineItems: [{ position: 0, discount: 30 }] },
    { code: 'TENTH', lineItems: [{ position: 2, discount: 9 }] },
  ]);
});

test('points for each line item are one award of the offer, and a cancel takes them back', async () => {
  const { _id, bestOffers } = await bought('points');
  expect(bestOffers).toMatchObject([
    { code: 'TENTH', discount: 39 },
    { code: 'TWO', points: 6, lineItems: [{ points: 2 }, { points: 2 }, { points: 2 }] },
  ]);
  expect(await acting.balance(member._id)).toBe(405 + 6);
  await acting.cancel(_id, { value: 200 });
  await acting.cancel(_id);
  expect(await acting.balance(member._id)).toBe(0);
});

test('an activity gets at most the limit of offers, and the log and the explanation say why not the others', async () => {
  await limit({ perActivity: 1 });
  const { _id, bestOffers, result } = await bought('lines');
  expect(bestOffers).toMatchObject([{ code: 'TENTH', discount: 39 }]);
  const reason = 'others give more, and an activity has at most 1';
  const fault = message('offers.exceedsActivity', { max: 1 });
  expect(result.log).toContainEqual(
    expect.objectContaining({ results: { code: 'DRINKS', isApplied: false, reason, fault } }),
  );
  const { body } = await world.server.as('admin').get(`/activityhistories/${_id}/explain`);
  const { sentence } = body.ruleMatch.find(({ key }: { key: string }) => key === 'lines');
  expect(sentence).toBe(
    `It fired. The offer "TENTH" gave a discount of 39. The offer "DRINKS" was not applied: ${reason}.`,
  );
});

test('an exclusive offer is applied when it gives more than all others together', async () => {
  const { bestOffers, result } = await bought('basket');
  expect(bestOffers).toMatchObject([{ code: 'BASKET', discount: 100 }]);
  expect(result.log).toContainEqual(
    expect.objectContaining({
      results: {
        code: 'TENTH',
        isApplied: false,
        reason: 'it does not go with BASKET, which gives more',
        fault: message('offers.rival', { code: 'BASKET' }),
      },
    }),
  );
  const larger = await bought('basket', { lineItems: [{ ...items[0], itemPrice: 1100 }] });
  expect(larger.bestOffers).toMatchObject([{ code: 'TENTH', discount: 110 }]);
});

test('64 activities at once never exceed the uses of an offer, and then take the next best', async () => {
  const members = await Promise.all(Array.from({ length: 64 }, () => world.addMember()));
  const answers = await Promise.all(
    members.map(({ _id }) => acting.post({ type: 'Accrual', memberID: _id, value: 0, ext: { rule: 'scarce' } })),
  );
  expect(answers.map(({ status }) => status)).toEqual(members.map(() => 200));
  const balances = await Promise.all(members.map(async ({ _id }) => await acting.balance(_id)));
  const counted = [0, 1, 2].map((points) => balances.filter((balance) => balance === points).length);
  expect(counted).toEqual([64 - 15, 10, 5]);
});

test('limits of offers and exclusions are checked when they are written', async () => {
  const admin = world.server.as('admin');
  const program = await admin.put(`/programs/${world.program._id}`, { offerLimits: { perActivity: 0, perDay: 1 } });
  expect(program.status).toBe(422);
  const excludes = { excludes: { codes: ['TENTH'] } };
  expect(
    (await admin.post('/offers', { code: 'BAD', name: 'BAD', program: world.program._id, ...excludes })).status,
  ).toBe(422);
});
