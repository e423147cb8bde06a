import type { ObjectId } from 'bson';
import { message } from '#base/common/messages/message';
import type { Member } from '#records/members/member';
import { serve } from '#server/serve';
import { type Client, client } from '../support/client';
import { ruleWhen } from '../support/ruleWhen';
import { openAlongside } from '../support/services';
import { addOffer, earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi, codes } from './activityApi';

const ruled = (key: string, ...actions: object[]) => ruleWhen(key, { actions });

let world: World;
let acting: ActivityApi;
let member: Member;

const define = async (path: string, body: Record<string, unknown>): Promise<string> => {
  const answer = await world.server.as('admin').post(`/${path}`, body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body._id;
};
const discounted = (code: string, type: string, value: number, fields: Record<string, unknown> = {}) => {
  const { max, ...rest } = fields;
  return addOffer(world, code, { discount: { type, value, ...(max === undefined ? {} : { max }) }, ...rest });
};
const tagged = (field: string, searchStr: string) => ({ inclusionParams: { [field]: { searchStr } } });

beforeAll(async () => {
  world = await openWorld({ rules: [], policies: [{ primary: true }, { name: 'Bonus' }] });
  acting = activityApi(world);
  await define('locations', { number: '17', name: 'Main Street' });
  await define('products', { sku: 'tea', name: 'Tea', category: 'drinks' });
  await define('products', { sku: 'pen', name: 'Pen', category: 'office' });
  const program = world.program._id;
  await discounted('FIVE', 'amount', 500);
  await discounted('TENTH', 'percent', 10, { max: 100 });
  await discounted('EXTRA', 'points', 50);
  await discounted('DOUBLE', 'multiplier', 2);
  await discounted('DRINKS', 'percent', 50, { productFilter: tagged('category', 'drinks') });
  await discounted('MORE', 'multiplier', 3, { productFilter: tagged('category', 'drinks') });
  await discounted('STORE', 'amount', 10, { locationFilter: tagged('number', '17') });
  await discounted('SMALL', 'amount', 10, { stackGroup: 'one', priority: 9 });
  await discounted('LARGE', 'amount', 20, { stackGroup: 'one' });
  await discounted('ONCE', 'amount', 1, { uses: { perMember: 1 } });
  await discounted('TEN', 'points', 1, { uses: { total: 10 } });
  await define('rewards', { code: 'MUG', name: 'A mug', program, cost: { purse: 'Points', points: 40 } });
  await define('rewards', { code: 'GIFT', name: 'A gift', program, uses: { total: 3, perMember: 2 } });
  await world.publish([
    earnRule,
    redeemRule,
    ruled('apply', { type: 'applyOffer', offer: 'FIVE' }),
    ruled('scarce', { type: 'applyOffer', offer: 'ONCE' }),
    ruled('issue', { type: 'issueReward', reward: 'GIFT' }),
    ruled('sell', { type: 'issueReward', reward: 'MUG' }),
    ruled('sellTwo', { type: 'issueReward', reward: 'MUG' }, { type: 'issueReward', reward: 'MUG' }),
  ]);
});

beforeEach(async () => {
  member = await world.addMember();
});

afterAll(() => world.close());

const post = (fields: Record<string, unknown>, memberID: ObjectId = member._id) =>
  acting.post({ type: 'Accrual', memberID, ...fields });
const bought = async (fields: Record<string, unknown>) =>
  acting.history(await acting.processed('Accrual', member._id, fields));
const messages = async (fields: Record<string, unknown>, id = member._id) =>
  (await post(fields, id)).body.result.errors.map(
    ({ code, message }: { code: number; message: string }) => `${code} ${message}`,
  );
const items = [
  { itemSKU: 'tea', itemPrice: 300, quantity: 2 },
  { itemSKU: 'pen', itemPrice: 400, quantity: 1 },
];

describe('bestOffers has what a coupon gives:', () => {
  test.each([
    ['an amount off, at most what was bought for', { value: 300, couponCode: 'FIVE' }, { discount: 300, points: 0 }],
    ['an amount off', { value: 900, couponCode: 'FIVE' }, { discount: 500, points: 0 }],
    ['a percentage, rounded down', { value: 999, couponCode: 'TENTH' }, { discount: 99, points: 0 }],
    ['a percentage, at most its max', { value: 5000, couponCode: 'TENTH' }, { discount: 100, points: 0 }],
    [
      'a percentage of the products of its filter',
      { lineItems: items, couponCode: 'DRINKS' },
      { discount: 300, points: 0 },
    ],
    ['points', { value: 10, couponCode: 'EXTRA' }, { discount: 0, points: 50 }],
    ['points times its value', { value: 10, couponCode: 'DOUBLE' }, { discount: 0, points: 10 }],
    [
      'points times its value for the products of its filter',
      { lineItems: items, couponCode: 'MORE' },
      { discount: 0, points: 1200 },
    ],
    [
      'an amount off at its location',
      { value: 900, srcChannelID: '17', couponCode: 'STORE' },
      { discount: 10, points: 0 },
    ],
  ])('%s', async (_name, fields, expected) => {
    const { bestOffers, value } = await bought(fields);
    expect(bestOffers).toEqual([expect.objectContaining({ code: fields.couponCode, kind: 'offer', ...expected })]);
    expect(await acting.balance(member._id)).toBe(value + expected.points);
  });
});

test('a coupon of line items applies to these alone, and each line item shows its share', async () => {
  const lineItems = [
    { itemPrice: 100, quantity: 1, couponCode: 'FIVE' },
    { itemPrice: 900, quantity: 1 },
    { itemPrice: 200, quantity: 1, couponCode: 'FIVE' },
  ];
  const history = await bought({ lineItems });
  expect(history.bestOffers).toEqual([expect.objectContaining({ code: 'FIVE', discount: 300 })]);
  const shares = history.lineItems.map(({ coupon }: { coupon?: { discount: number } }) => coupon?.discount);
  expect(shares).toEqual([100, undefined, 200]);
});

test('an offer id of a line item has the effect of the code', async () => {
  const id = await discounted('BYID', 'amount', 7);
  const { bestOffers } = await bought({ lineItems: [{ itemPrice: 100, quantity: 1, offerId: id }] });
  expect(bestOffers).toEqual([expect.objectContaining({ code: 'BYID', discount: 7 })]);
});

test('the best coupon of a stack group is applied, whatever its priority, and coupons of different groups add up', async () => {
  const lineItems = [
    { itemPrice: 100, quantity: 1, couponCode: 'SMALL' },
    { itemPrice: 100, quantity: 1, couponCode: 'LARGE' },
  ];
  const { bestOffers } = await bought({ couponCode: 'EXTRA', lineItems });
  expect(bestOffers.map(({ code }: { code: string }) => code)).toEqual(['EXTRA', 'LARGE']);
});

test.each([
  ['at another location', { value: 5, couponCode: 'STORE', srcChannelID: '18' }, 'STORE is not valid at this location'],
  ['where no line item fits', { value: 5, couponCode: 'DRINKS' }, 'DRINKS fits no line item'],
])('a coupon %s ends in error 2500, without effect', async (_name, fields, message) => {
  expect(await messages(fields)).toEqual([`2500 The coupon code ${message}`]);
  expect(await acting.balance(member._id)).toBe(0);
});

test('a coupon with one use per member works once for each, and again when its use was cancelled', async () => {
  const other = await world.addMember();
  const first = await acting.processed('Accrual', member._id, { value: 5, couponCode: 'ONCE' });
  expect(await messages({ value: 5, couponCode: 'ONCE' })).toEqual(['2500 The coupon code ONCE is used up']);
  expect(await messages({ value: 5, couponCode: 'ONCE' }, other._id)).toEqual([]);
  await acting.cancel(first);
  expect(await messages({ value: 5, couponCode: 'ONCE' })).toEqual([]);
});

test('a coupon that gives nothing is not used up', async () => {
  expect((await bought({ value: 0, couponCode: 'ONCE' })).bestOffers).toBeUndefined();
  expect((await bought({ value: 5, couponCode: 'ONCE' })).bestOffers).toHaveLength(1);
});

test('persist=false shows what a coupon gives and uses nothing up', async () => {
  const body = { type: 'Accrual', memberID: member._id, value: 5, couponCode: 'ONCE' };
  for (let n = 0; n < 2; n += 1) expect(codes(await acting.post(body, '?persist=false'))).toEqual([]);
  expect(codes(await post({ value: 5, couponCode: 'ONCE' }))).toEqual([]);
});

test('cancelling takes back the points of a coupon', async () => {
  const id = await acting.processed('Accrual', member._id, { value: 10, couponCode: 'DOUBLE' });
  expect(await acting.balance(member._id)).toBe(20);
  await acting.cancel(id, { value: 5 });
  expect(await acting.balance(member._id)).toBe(10);
  await acting.cancel(id);
  expect(await acting.balance(member._id)).toBe(0);
});

describe('a reward', () => {
  test('by its own code burns its cost, and cancelling restores it', async () => {
    await acting.processed('Accrual', member._id, { value: 100 });
    const id = await acting.processed('Redemption', member._id, { couponCode: 'MUG' });
    expect(await acting.balance(member._id)).toBe(60);
    expect(await acting.history(id)).toMatchObject({
      coupon: { code: 'MUG', kind: 'reward' },
      bestOffers: [{ code: 'MUG', kind: 'reward', discount: 0, points: 0 }],
    });
    await acting.cancel(id);
    expect(await acting.balance(member._id)).toBe(100);
  });

  test('whose cost is not covered ends in 2100', async () => {
    expect(codes(await acting.post({ type: 'Redemption', memberID: member._id, couponCode: 'MUG' }))).toEqual([2100]);
  });

  test('that a rule sells burns its cost when it is issued; its code then costs nothing', async () => {
    await acting.processed('Accrual', member._id, { value: 100 });
    const sold = await post({ ext: { rule: 'sell' } });
    expect(await acting.balance(member._id)).toBe(60);
    const { code } = sold.body.result.data.issuedRewards[0];
    expect(codes(await acting.post({ type: 'Redemption', memberID: member._id, couponCode: code }))).toEqual([]);
    expect(await acting.balance(member._id)).toBe(60);
  });
});

describe('an issued reward', () => {
  const issue = async (id = member._id) => {
    const answer = await post({ ext: { rule: 'issue' } }, id);
    return { activity: answer.body.result.data.activityId, code: answer.body.result.data.issuedRewards?.[0].code };
  };
  const stored = async (code: string) => (await world.server.as('client').get(`/issuedrewards?code=${code}`)).body[0];

  beforeEach(() => acting.forgetUses());

  test('has a code of three groups of four characters', async () => {
    const { code } = await issue();
    expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  });

  test('works once, for its member only', async () => {
    const other = await world.addMember();
    const { code, activity } = await issue();
    expect(await stored(code)).toMatchObject({ status: 'Issued', member: `${member._id}`, activity });
    expect(await messages({ couponCode: code }, other._id)).toEqual([`2500 The coupon code ${code} is not valid`]);
    const { bestOffers, _id } = await bought({ couponCode: code });
    expect(bestOffers).toEqual([expect.objectContaining({ code, name: 'A gift', kind: 'reward' })]);
    expect(await stored(code)).toMatchObject({ status: 'Used', usedBy: _id });
    expect(await messages({ couponCode: code })).toEqual([`2500 The coupon code ${code} was used before`]);
  });

  test('counts as a use when it is issued, so there are never more than the uses of the reward', async () => {
    expect([await issue(), await issue(), await issue()].map(({ code }) => typeof code)).toEqual([
      'string',
      'string',
      'undefined',
    ]);
  });

  test('is withdrawn when its activity is cancelled, and its use is given back', async () => {
    const { activity, code } = await issue();
    const { body } = await acting.cancel(activity);
    expect(body.result.log.entries).toContainEqual(
      expect.objectContaining({ action: 'giveBack', results: { did: 'withdrawn', code } }),
    );
    expect(await messages({ couponCode: code })).toEqual([`2500 The coupon code ${code} was withdrawn`]);
    expect([await issue(), await issue()].every((each) => each.code !== undefined)).toBe(true);
  });

  test('comes back when its use is cancelled', async () => {
    const { code } = await issue();
    await acting.cancel(await acting.processed('Accrual', member._id, { couponCode: code }));
    expect(await stored(code)).toMatchObject({ status: 'Issued' });
    expect(await messages({ couponCode: code })).toEqual([]);
  });

  test('that was used stays used when its issue is cancelled, and cannot come back', async () => {
    const { activity, code } = await issue();
    const use = await acting.processed('Accrual', member._id, { couponCode: code });
    await acting.cancel(activity);
    expect(await stored(code)).toMatchObject({ status: 'Used' });
    expect([await issue(), await issue()].map((each) => each.code === undefined)).toEqual([false, true]);
    await acting.cancel(use);
    expect(await stored(code)).toMatchObject({ status: 'Withdrawn' });
  });

  test('that was paid for and used stays paid when its issue is cancelled, until its use is cancelled too', async () => {
    await acting.processed('Accrual', member._id, { value: 100 });
    const before = await acting.purse(member._id);
    const { body } = await post({ ext: { rule: 'sell' } });
    const { activityId, issuedRewards } = body.result.data;
    const [{ code }] = issuedRewards;
    const use = await acting.processed('Accrual', member._id, { couponCode: code });
    await acting.cancel(activityId);
    expect((await acting.purse(member._id)).burnedPoints).toBe(before.burnedPoints + 40);
    expect(await stored(code)).toMatchObject({ status: 'Used' });
    const { body: cancelled } = await acting.cancel(use);
    expect(cancelled.result.log.entries.map(({ results }: { results: object }) => results)).toContainEqual({
      did: 'withdrawn',
      code,
    });
    expect((await acting.purse(member._id)).burnedPoints).toBe(before.burnedPoints);
    expect(await stored(code)).toMatchObject({ status: 'Withdrawn' });
    expect(await messages({ couponCode: code })).toEqual([`2500 The coupon code ${code} was withdrawn`]);
  });

  const orders = [
    ['earn', 'sell', 'use'],
    ['earn', 'use', 'sell'],
    ['sell', 'earn', 'use'],

    ['sell', 'use', 'earn'],
    ['use', 'earn', 'sell'],
    ['use', 'sell', 'earn'],
  ] as const;

  test.each(['sell', 'sellTwo'].flatMap((rule) => orders.map((order) => [rule, ...order] as const)))(
    'earned, sold by rule %s and used, all cancelled: %s, %s, %s: no points, no debt, no code, no use',
    async (rule, ...order) => {
      const { _id } = await world.addMember();
      const earn = await acting.processed('Accrual', _id, { value: 100 });
      const { body } = await post({ ext: { rule } }, _id);
      const { activityId: sell, issuedRewards } = body.result.data;
      const sold: string[] = issuedRewards.map(({ code }: { code: string }) => code);
      const lineItems = sold.map((couponCode) => ({ itemPrice: 0, quantity: 1, couponCode }));
      const use = await acting.processed('Accrual', _id, { lineItems });
      const ids = { earn, sell, use };
      for (const name of order) expect((await acting.cancel(ids[name])).status).toBe(200);
      expect(await acting.purse(_id)).toMatchObject({ balance: 0, debt: 0, availBalance: 0 });
      for (const code of sold) expect(await stored(code)).toMatchObject({ status: 'Withdrawn' });
      const counters = await world.services.db.collection('limitcounters').find({}).toArray();
      expect(counters.map(({ used }) => used)).toEqual(counters.map(() => 0));
      const doc = await world.services.db.collection('members').findOne({ _id });
      const sums = doc?.aggregates.map(({ metricName, metricAggValue }: Record<string, unknown>) => [
        metricName,
        metricAggValue,
      ]);
      expect(sums.filter(([, sum]: [string, number]) => sum !== 0)).toEqual([]);
    },
  );

  test('gives its whole cost back when it was not used, and never a part of it', async () => {
    await acting.processed('Accrual', member._id, { value: 100 });
    const before = await acting.purse(member._id);
    const { body } = await post({ value: 10, ext: { rule: 'sell' } });
    const { activityId, issuedRewards } = body.result.data;
    await acting.cancel(activityId, { value: 5 });
    expect((await acting.purse(member._id)).burnedPoints).toBe(before.burnedPoints + 40);
    await acting.cancel(activityId);
    expect((await acting.purse(member._id)).burnedPoints).toBe(before.burnedPoints);
    expect(await stored(issuedRewards[0].code)).toMatchObject({ status: 'Withdrawn' });
  });

  test('may be used by one of many requests at once', async () => {
    const { code } = await issue();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post({ couponCode: code })));
    expect(answers.filter((answer) => codes(answer).length === 0)).toHaveLength(1);
  });
});

describe('applyOffer', () => {
  test('applies an offer to an activity that names no coupon code', async () => {
    const { bestOffers } = await bought({ value: 900, ext: { rule: 'apply' } });
    expect(bestOffers).toEqual([expect.objectContaining({ code: 'FIVE', discount: 500 })]);
  });

  test('passes over an offer that is used up', async () => {
    await bought({ value: 5, ext: { rule: 'scarce' } });
    const { bestOffers, status, result } = await bought({ value: 5, ext: { rule: 'scarce' } });
    expect([bestOffers, status]).toEqual([undefined, 'Processed']);
    expect(result.log).toContainEqual(
      expect.objectContaining({
        action: 'applyOffer',
        results: {
          code: 'ONCE',
          isApplied: false,
          reason: 'the offer is used up',
          fault: message('activities.offerFault', { fault: message('activities.usedUp') }),
        },
      }),
    );
  });
});

test('a coupon with ten uses is used ten times by 50 members at once through two processes', async () => {
  const beside = await openAlongside(world.services);
  const { url, close } = await serve(beside);
  const { token } = world.services.users.client;
  const clients: Client[] = [client(world.server.url, token), client(url, token)];
  const members = await Promise.all(Array.from({ length: 50 }, () => world.addMember()));
  const answers = await Promise.all(
    members.map(({ _id }, index) =>
      clients[index % 2]?.post('/activity', { type: 'Accrual', memberID: _id, value: 1, couponCode: 'TEN' }),
    ),
  );
  await close();
  await beside.close();
  expect(answers.map((answer) => answer?.status)).toEqual(members.map(() => 200));
  const outcomes = answers.map((answer) => (answer ? codes(answer).join() : 'none'));
  expect(outcomes.filter((each) => each === '')).toHaveLength(10);
  expect(outcomes.filter((each) => each === '2500')).toHaveLength(40);
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
