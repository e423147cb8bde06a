import type { Member } from '#records/members/member';
import { isRequested, ruleWhen } from '../support/ruleWhen';
import { openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi, codes } from './activityApi';

/** A rule with these limits that awards the value of activities whose `ext.rule` is the key. */
const limited = (key: string, limits: object[], more: object = {}) => ruleWhen(key, { limits, ...more });
const points = { what: 'points', per: 'member', onExceed: 'reduce' };
const cooldown = { what: 'times', per: 'member', period: { last: 72, unit: 'hour' }, max: 1, onExceed: 'skip' };
const basket = { ...points, period: 'transaction', max: 50, limitGroup: 'basket' };
const month = { ...points, period: 'month', max: 100, limitGroup: 'month' };
const add = (of: object, times: number) => [{ type: 'addPoints', purse: 'Points', points: { of, times } }];
const line = (path: string) => ({ fact: 'lineItem', path });

const rules = [
  limited('cool', [cooldown]),
  limited('week', [{ ...points, period: { last: 7, unit: 'day' }, max: 100 }]),
  limited('year', [{ ...points, period: { year: 'enrolment' }, max: 100 }]),
  limited('dates', [{ ...points, period: { from: '2026-03-01', to: '2026-03-31' }, max: 100 }]),
  limited('all', [{ ...points, per: 'program', period: { last: 2, unit: 'hour' }, max: 100 }]),
  limited('household', [{ ...points, per: 'account', period: 'month', max: 100 }]),
  limited('product', [{ ...points, per: 'product', period: 'day', max: 100 }], {
    perLine: true,
    actions: add(line('$.itemAmount'), 1),
  }),
  limited('amount', [{ ...points, what: 'amount', period: 'quarter', max: 1500 }], {
    actions: add({ fact: 'activity', path: '$.value' }, 0.05),
  }),
  limited('amounts', [{ ...points, what: 'amount', period: 'quarter', max: 1500 }], {
    perLine: true,
    actions: add(line('$.itemAmount'), 0.05),
  }),
  ...['one', 'two'].map((key) => limited(`basket-${key}`, [basket], { conditions: isRequested('basket') })),
  ...['one', 'two'].map((key) => limited(`month-${key}`, [month], { conditions: isRequested('month') })),
];

let world: World;
let acting: ActivityApi;
let member: Member;

beforeAll(async () => {
  world = await openWorld({ rules, program: { timezone: 'America/New_York' } });
  world.services.clock.set('2026-03-20T12:00:00.000Z');
  acting = activityApi(world);
});
beforeEach(async () => {
  member = await world.addMember({ enrolledAt: new Date('2020-03-10T12:00:00.000Z') });
});
afterAll(() => world.close());

const noon = '2026-03-04T12:00:00.000Z';
const post = (rule: string, value: number, fields: object = {}, who = member) =>
  acting.processed('Accrual', who._id, { value, ext: { rule }, date: noon, ...fields });
const balance = async ({ _id } = member) => await acting.balance(_id);
/** The points that the member has more after a post. */
const gained = async (...args: Parameters<typeof post>) => {
  const before = await balance(args[3]);
  await post(...args);
  return (await balance(args[3])) - before;
};

test('a cool-down of 72 hours holds to the millisecond, also for activities that come late', async () => {
  expect(await gained('cool', 10)).toBe(10);
  expect(await gained('cool', 10, { date: '2026-03-07T11:59:59.999Z' })).toBe(0);
  expect(await gained('cool', 10, { date: '2026-03-01T12:00:00.001Z' })).toBe(0);
  expect(await gained('cool', 10, { date: '2026-03-07T12:00:00.000Z' })).toBe(10);
  expect(await gained('cool', 10, { date: '2026-03-01T12:00:00.000Z' })).toBe(10);
});

test('a window of days covers whole days, and a cancel gives back on the day of its target', async () => {
  const first = await post('week', 60);
  await post('week', 60, { date: '2026-03-06T12:00:00.000Z' });
  expect(await balance()).toBe(100);
  expect(await gained('week', 60, { date: '2026-03-11T03:59:59.000Z' })).toBe(0);
  expect(await gained('week', 60, { date: '2026-03-11T04:00:00.000Z' })).toBe(60);
  expect(codes(await acting.cancel(first, {}))).toEqual([]);
  expect(await gained('week', 60, { date: '2026-03-11T12:00:00.000Z' })).toBe(0);
  expect(await gained('week', 60, { date: '2026-03-05T12:00:00.000Z' })).toBe(0);
  expect(await gained('week', 60, { date: '2026-03-02T12:00:00.000Z' })).toBe(60);
});

test('a partial return gives its share back to a window', async () => {
  const id = await post('week', 100);
  await acting.cancel(id, { value: 40 });
  expect(await gained('week', 60)).toBe(40);
});

test('the own year of a member begins on the anniversary of the enrolment', async () => {
  expect(await gained('year', 70, { date: '2025-12-01T12:00:00.000Z' })).toBe(70);
  expect(await gained('year', 70, { date: '2026-03-10T03:59:59.000Z' })).toBe(30);
  expect(await gained('year', 70, { date: '2026-03-10T04:00:00.000Z' })).toBe(70);
});

test('a period between dates limits only these days', async () => {
  const dates = ['2026-03-01T04:59:59.000Z', '2026-03-01T05:00:00.000Z', noon];
  const sums = [];
  for (const date of dates) sums.push(await gained('dates', 70, { date }));
  expect(sums).toEqual([70, 70, 30]);
});

test('a merged member brings what it used into the windows of the survivor', async () => {
  await post('week', 70);
  await post('cool', 5);
  const survivor = await world.addMember();
  const path = `/members/${survivor._id}/merge`;
  expect((await world.server.as('admin').post(path, { memberIds: [member._id] })).status).toBe(200);
  expect(await gained('week', 70, {}, survivor)).toBe(30);
  expect(await gained('cool', 5, { date: '2026-03-05T12:00:00.000Z' }, survivor)).toBe(0);
});

test('no window is exceeded by activities that arrive at once, in whatever order of their dates', async () => {
  const members = await Promise.all(Array.from({ length: 8 }, () => world.addMember()));
  const minutes = Array.from({ length: 64 }, (_, n) => (n * 37) % 480);
  const dates = minutes.map((minute) => new Date(Date.parse('2026-03-10T00:00:00.000Z') + minute * 60_000));
  await Promise.all(
    dates.map((date, n) => post('all', 30, { date: date.toISOString() }, members[n % members.length] ?? member)),
  );
  const { body } = await world.server
    .as('admin')
    .get(`/activityhistories?query=${JSON.stringify({ 'ext.rule': 'all' })}&limit=100`);
  const uses = body.flatMap((history: { date: string; ruleMatch: { granted?: number; fired: boolean }[] }) =>
    history.ruleMatch
      .filter(({ fired }) => fired)
      .map(({ granted = 0 }) => ({ at: Date.parse(history.date), granted })),
  );
  const sums = uses.map(({ at }: { at: number }) =>
    uses
      .filter((use: { at: number }) => use.at <= at && use.at > at - 7_200_000)
      .reduce((sum: number, { granted }: { granted: number }) => sum + granted, 0),
  );
  expect(Math.max(...sums)).toBe(100);
  // Eight hours have at least three windows of two hours that do not overlap.
  expect(uses.reduce((sum: number, { granted }: { granted: number }) => sum + granted, 0)).toBeGreaterThanOrEqual(300);
});

test('limits of one group count together in a basket and over a month, also at once', async () => {
  expect(await gained('basket', 40)).toBe(50);
  await Promise.all(Array.from({ length: 8 }, () => post('month', 15)));
  expect(await balance()).toBe(150);
});

test('a return gives a shared limit back by the points of each rule', async () => {
  const id = await post('month', 60);
  expect(await balance()).toBe(100);
  await acting.cancel(id, { value: 30 });
  expect(await balance()).toBe(50);
  expect(await gained('month', 60)).toBe(50);
});

test('the members of an account share its limit', async () => {
  const [other, alone] = [await world.addMember(), await world.addMember()];
  const admin = world.server.as('admin');
  const members = [member, other].map(({ _id }) => ({ member: _id, program: world.program._id }));
  expect((await admin.post('/accounts', { members })).status).toBe(201);
  expect(await gained('household', 70)).toBe(70);
  expect(await gained('household', 70, {}, other)).toBe(30);
  expect(await gained('household', 70, {}, alone)).toBe(70);
  const id = await post('household', 70, { date: '2026-02-04T12:00:00.000Z' });
  await acting.cancel(id, {});
  expect(await gained('household', 110, { date: '2026-02-04T12:00:00.000Z' }, other)).toBe(100);
});

const item = (_id: string, itemSKU: string, itemPrice: number) => ({ _id, itemSKU, itemPrice, quantity: 1 });

test('a limit per product counts each product, and a return gives back what its lines earned', async () => {
  const lineItems = [item('a', 'TEA', 70), item('b', 'MUG', 70), item('c', 'TEA', 70)];
  const id = await post('product', 210, { lineItems });
  expect(await balance()).toBe(170);
  await acting.cancel(id, { lineItems: [{ _id: 'b' }] });
  expect(await balance()).toBe(100);
  expect(await gained('product', 220, { lineItems: [item('a', 'TEA', 110), item('b', 'MUG', 110)] })).toBe(100);
});

describe('a limit of the amount that earns', () => {
  test('is given back by a cancel', async () => {
    const id = await post('amount', 1000);
    expect(await gained('amount', 1000)).toBe(25);
    await acting.cancel(id, {});
    expect(await gained('amount', 2000)).toBe(50);
  });

  test('is given back by the share of a value that is returned', async () => {
    const id = await post('amount', 1000);
    await acting.cancel(id, { value: 400 });
    expect(await balance()).toBe(30);
    expect(await gained('amount', 2000)).toBe(45);
  });

  test('is given back exactly when lines are returned, and the other lines stay counted', async () => {
    const id = await post('amounts', 2000, { lineItems: [item('a', 'A', 1010), item('b', 'B', 990)] });
    expect(await balance()).toBe(50 + 24);
    await acting.cancel(id, { lineItems: [{ _id: 'b' }] });
    expect(await balance()).toBe(50);
    expect(await gained('amounts', 1000, { lineItems: [item('a', 'A', 1000)] })).toBe(24);
  });
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
