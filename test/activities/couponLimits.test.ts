import { ruleWhen } from '../support/ruleWhen';
import { addOffer, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

const perCoupon = { what: 'points', per: 'coupon', period: 'month', max: 100, onExceed: 'reduce' };
const ofLine = { of: { fact: 'lineItem', path: '$.itemAmount' }, times: 1 };

/** Each rule counts by the coupon: of the whole activity, of each line, and how often. */
const rules = [
  ruleWhen('whole', { limits: [perCoupon] }),
  ruleWhen('lines', {
    perLine: true,
    limits: [perCoupon],
    actions: [{ type: 'addPoints', purse: 'Points', points: ofLine }],
  }),
  ruleWhen('once', { limits: [{ what: 'times', per: 'coupon', period: 'lifetime', max: 2, onExceed: 'skip' }] }),
];

let world: World;
let acting: ActivityApi;
let offers: Record<string, string>;

beforeAll(async () => {
  world = await openWorld({ rules });
  world.services.clock.set('2026-03-04T12:00:00.000Z');
  acting = activityApi(world);
});
afterAll(() => world.close());

/** Each test has coupons of its own, so that the counters begin unused. */
beforeEach(async () => {
  offers = {};
  for (const code of ['A', 'B']) {
    const unique = `${code}-${Math.random().toString(36).slice(2)}`;
    offers = { ...offers, [code]: unique, [`${code} id`]: await addOffer(world, unique) };
  }
});

/** Posts a purchase of a new member. @returns the points it gave, and its id */
async function buy(rule: string, fields: object): Promise<{ points: number; id: string }> {
  const { _id: memberID } = await world.addMember();
  const { body } = await acting.post({ type: 'Accrual', memberID, ext: { rule }, ...fields });
  expect(body.result.errors).toEqual([]);
  return { points: body.member.purses[0].balance, id: body.result.data.activityId };
}
const points = async (rule: string, fields: object) => (await buy(rule, fields)).points;
const by = (code: string, value: number) => ({ value, couponCode: offers[code] });
const line = (amount: number, coupon: object = {}) => ({ itemPrice: amount, quantity: 1, ...coupon });
const code = (name: string) => ({ couponCode: offers[name] });
const id = (name: string) => ({ offerId: offers[`${name} id`] });

/** Purchases one after the other, with the points that each gives. */
const table: [string, string, () => [fields: object, points: number][]][] = [
  [
    'all members share the limit of a coupon',
    'whole',
    () => [
      [by('A', 70), 70],
      [by('A', 50), 30],
      [by('A', 5), 0],
    ],
  ],
  [
    'each coupon has a limit of its own',
    'whole',
    () => [
      [by('A', 100), 100],
      [by('B', 60), 60],
      [by('B', 60), 40],
    ],
  ],
  [
    'a line names its coupon by code or id, and without one it has that of the activity',
    'lines',
    () => [
      [{ lineItems: [line(40, code('A')), line(30, id('A'))] }, 70],
      [{ ...code('A'), lineItems: [line(20)] }, 20],
      [{ lineItems: [line(50, id('A')), line(50, code('B'))] }, 60],
      [{ ...code('A'), lineItems: [line(50, code('B'))] }, 50],
      [{ lineItems: [line(1, code('A')), line(1, code('B'))] }, 0],
    ],
  ],
  [
    'a limit of times counts by the coupon too',
    'once',
    () => [
      [by('A', 5), 5],
      [by('A', 5), 5],
      [by('A', 5), 0],
      [by('B', 5), 5],
    ],
  ],
];

test.each(table)('%s', async (_name, rule, rows) => {
  const results: number[] = [];
  for (const [fields] of rows()) results.push(await points(rule, fields));
  expect(results).toEqual(rows().map(([, expected]) => expected));
});

test('purchases without a coupon have no limit', async () => {
  const inputs = [await points('whole', { value: 80 }), await points('whole', { value: 80 })];
  expect(inputs).toEqual([80, 80]);
});

test('many purchases at once never exceed the limit of a coupon', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => points('whole', by('A', 30))));
  expect(all.reduce((sum, each) => sum + each, 0)).toBe(100);
  const lines = await Promise.all(
    Array.from({ length: 8 }, () => points('lines', { lineItems: [line(30, code('A')), line(20, id('B'))] })),
  );
  expect(lines.reduce((sum, each) => sum + each, 0)).toBe(200);
});

test.each<[string, object, object, number]>([
  ['a cancel', { value: 90 }, {}, 100],
  ['a return of a part', { value: 90 }, { value: 30 }, 40],
])('%s gives the used amount back to the coupon', async (_name, fields, part, left) => {
  const { id: original } = await buy('whole', { ...fields, couponCode: offers.A });
  await points('whole', by('B', 90));
  const { body } = await world.server.as('admin').post(`/activity/${original}/cancel`, part);
  expect(body.result.errors).toEqual([]);
  expect(await points('whole', by('A', 200))).toBe(left);
  expect(await points('whole', by('B', 200))).toBe(10);
});

test('a return of a line gives back what the line used', async () => {
  const { id: original } = await buy('lines', {
    lineItems: [line(60, { _id: 'a', ...code('A') }), line(60, { _id: 'b', ...code('B') })],
  });
  await world.server.as('admin').post(`/activity/${original}/cancel`, { lineItems: [{ _id: 'a' }] });
  expect(await points('lines', { lineItems: [line(200, code('A'))] })).toBe(100);
  expect(await points('lines', { lineItems: [line(200, code('B'))] })).toBe(40);
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
