import { openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

const points = (purse: string, points: unknown) => ({ type: 'addPoints', purse, points });
const ofValue = (times: number) => ({ of: { fact: 'activity', path: '$.value' }, times });
const ofLine = { of: { fact: 'lineItem', path: '$.itemAmount' }, times: 0.7 };

/** Awards of several kinds, in two purses, with a limit, a budget and a metric of its own. */
const rules = [
  { key: 'base', actions: [points('Points', ofValue(1.3)), points('Bonus', ofValue(0.4))] },
  { key: 'lines', perLine: true, actions: [points('Points', ofLine)] },
  { key: 'fixed', actions: [points('Bonus', 17)], onReturn: 'proportional' },
  {
    key: 'limited',
    actions: [points('Points', ofValue(2))],
    limits: [{ what: 'points', per: 'member', period: 'month', max: 150 }],
    budget: { points: 100_000 },
  },
  { key: 'metric', actions: [{ type: 'addMetric', metric: 'stars', value: ofValue(1) }] },
  {
    key: 'burn',
    activityTypes: ['Redemption'],
    actions: [{ type: 'redeemPoints', purse: 'Points', points: ofValue(7) }],
  },
].map((rule) => ({ name: rule.key, activityTypes: ['Accrual'], conditions: { all: [] }, ...rule }));

const lineItems = [
  { _id: 'a', itemPrice: 7, quantity: 5 },
  { _id: 'b', itemPrice: 13, quantity: 3 },
  { _id: 'c', itemPrice: 26, quantity: 1 },
];

let world: World;
let acting: ActivityApi;

beforeAll(async () => {
  world = await openWorld({ rules, policies: [{ name: 'Points', overdraftLimit: 10_000 }, { name: 'Bonus' }] });
  acting = activityApi(world);
});
afterAll(() => world?.close());

const line = (_id: string, quantity: number) => ({ lineItems: [{ _id, quantity }] });

/** Several returns in turn, and after each the single return that must have the same effect. */
const cases: [string, string, object[], object[]][] = [
  [
    'a purchase by value',
    'Accrual',
    [11, 1, 30, 7].map((value) => ({ value })),
    [11, 12, 42, 49].map((value) => ({ value })),
  ],
  [
    'a purchase by lines',
    'Accrual',
    [line('a', 1), line('b', 2), line('a', 3)],
    [
      line('a', 1),
      { lineItems: [...line('a', 1).lineItems, ...line('b', 2).lineItems] },
      { lineItems: [...line('a', 4).lineItems, ...line('b', 2).lineItems] },
    ],
  ],
  [
    'a redemption that made debt, by value',
    'Redemption',
    [1, 2, 40].map((value) => ({ value })),
    [1, 3, 43].map((value) => ({ value })),
  ],
];

/** Everything that a return may change of a member, except ids and times. */
async function stateOf(member: { _id: { toHexString(): string } }) {
  const { body } = await world.server.as('client').get(`/members/${member._id.toHexString()}`);
  const purses = body.purses.map(({ name, balance, availBalance, debt }: Record<string, unknown>) => [
    name,
    balance,
    availBalance,
    debt,
  ]);
  const metrics = body.aggregates.map(
    ({ metricName, metricAggValue }: Record<string, unknown>) => `${metricName} ${metricAggValue}`,
  );
  return { purses, metrics: metrics.sort() };
}

/** Posts the activity with a new member, and then makes these returns. */
async function after(type: string, returns: readonly object[]) {
  const member = await world.addMember();
  await acting.processed('Accrual', member._id, { value: 10 });
  const id = await acting.processed(type, member._id, { lineItems });
  for (const body of returns) {
    const { status, body: answer } = await acting.cancel(id, body);
    expect([status, answer.result.errors]).toEqual([200, []]);
  }
  const target = await world.services.db
    .collection('activityhistories')
    .findOne({ memberID: member._id, returns: { $exists: true } });
  const used = (target?.effects.counters ?? []).map(({ returned }: { returned: number }) => returned);
  return { ...(await stateOf(member)), used, returnedValue: (await acting.history(id)).returnedValue };
}

test.each(cases)(
  'several returns of %s equal one return of their sum at every step',
  async (_, type, returns, sums) => {
    for (const [index, sum] of sums.entries()) {
      expect(await after(type, returns.slice(0, index + 1))).toEqual(await after(type, [sum]));
    }
    expect(await acting.mismatches()).toEqual([]);
  },
);
