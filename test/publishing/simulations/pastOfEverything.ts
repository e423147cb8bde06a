import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { activityApi } from '../../activities/activityApi';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

const requestOf = (name: string) => ({
  all: [{ fact: 'activity', path: '$.ext.ask', operator: 'equal', value: name }],
});
const onAsking = (key: string, ...actions: object[]) => ({
  ...earnRule,
  key,
  name: key,
  priority: 5,
  conditions: requestOf(key),
  actions,
});
const drinks = { inclusionParams: { category: { searchStr: 'drinks' } } };

const times = (of: object, factor: number) => ({ type: 'addPoints', purse: 'Points', points: { of, times: factor } });
const value = { fact: 'activity', path: '$.value' };
const limited = (key: string, limit: object, action: object = times(value, 0.5)) => ({
  ...onAsking(key, action),
  limits: [{ what: 'points', per: 'member', onExceed: 'reduce', ...limit }],
});
const shared = { period: 'day', max: 300, limitGroup: 'day' };
const spendOfMonth = { metric: 'spend', period: 'month' };
const rowOfFirst = {
  fact: 'table',
  path: '$.points',
  params: { name: 'worth', keys: [{ fact: 'activity', path: '$.ext.ask' }] },
};

/** The rules that read windows, milestones and lookup tables, and those with limits beside the plain ones. */
const rulesOfWindows = [
  limited('week', { period: { last: 3, unit: 'day' }, max: 400 }),
  limited('hours', { what: 'times', period: { last: 20, unit: 'hour' }, max: 2, onExceed: 'skip' }),
  limited('year', { period: { year: 'enrolment' }, max: 900 }),
  limited('amount', { what: 'amount', period: 'week', max: 1000 }, times(value, 0.25)),
  ...['one', 'two'].map((key) => ({ ...limited('shared', shared), key: `shared-${key}` })),
  onAsking('crossed', times({ fact: 'crossed', params: { ...spendOfMonth, every: 500 } }, 20)),
  onAsking('table', times(rowOfFirst, 1)),
  { lookupTable: 'worth', csv: 'worth.csv', keys: ['ask'] },
];

/** The lookup table that the rules read. */
export const worthCsv = 'ask,points\ntable,17\nnone,1\n';

/** Rules of every kind that moves points, with limits, a budget, a group, and every `onReturn`. */
export const rulesOfEverything = [
  { ...earnRule, limits: [{ what: 'points', per: 'member', period: 'month', max: 2500, onExceed: 'reduce' }] },
  redeemRule,
  {
    ...earnRule,
    key: 'bonus',
    name: 'bonus',
    priority: 9,
    onReturn: 'keep',
    budget: { points: 3000 },
    conditions: { all: [{ fact: 'activity', path: '$.value', operator: 'greaterThan', value: 300 }] },
    actions: [{ type: 'addPoints', purse: 'Bonus', points: 25 }],
  },
  {
    ...earnRule,
    key: 'lines',
    name: 'lines',
    perLine: true,
    group: 'g',
    pick: 'highest',
    conditions: { all: [] },
    actions: [
      { type: 'addPoints', purse: 'Bonus', points: { of: { fact: 'lineItem', path: '$.itemAmount' }, times: 0.1 } },
    ],
  },
  {
    ...earnRule,
    key: 'drinks',
    name: 'drinks',
    group: 'g',
    pick: 'highest',
    onReturn: 'reevaluate',
    actions: [
      {
        type: 'addPoints',
        purse: 'Bonus',
        points: { of: { fact: 'eligibleAmount', params: { filter: drinks } }, times: 0.3, round: 'floor' },
      },
    ],
  },
  {
    ...earnRule,
    key: 'visits',
    name: 'visits',
    priority: 2,
    limits: [{ what: 'times', per: 'member', period: 'day', max: 2, onExceed: 'skip' }],
    actions: [
      { type: 'addPoints', purse: 'Points', points: 3 },
      { type: 'addPoints', purse: 'Bonus', points: 4 },
    ],
  },
  onAsking('offer', { type: 'applyOffer', offer: 'EXTRA' }, { type: 'addPoints', purse: 'Points', points: 1 }),
  onAsking('sell', { type: 'issueReward', reward: 'MUG' }),
  onAsking('swap', { type: 'transferPoints', purse: 'Points', points: 7, toPurse: 'Bonus' }),
  onAsking('give', {
    type: 'transferPoints',
    purse: 'Points',
    points: 9,
    toMember: { loyaltyID: { fact: 'activity', path: '$.ext.to' } },
  }),
  onAsking('no', { type: 'reject', message: 'no' }),
  onAsking('friend', { type: 'completeReferral', purse: 'Points', points: 30, referrerPoints: 60 }),
  ...rulesOfWindows,
];

/** A world with these rules, and what they name. */
export async function openWorldOfEverything(): Promise<World> {
  const world = await openWorld({ rules: [], policies: [{ primary: true, costPerPoint: 0.01 }, { name: 'Bonus' }] });
  world.services.clock.set('2026-03-10T12:00:00Z');
  const define = async (route: string, body: Record<string, unknown>) => {
    const { status } = await world.server.as('admin').post(`/${route}`, body);
    if (status !== 201) throw new Error(`${route} ${status}`);
  };
  const program = world.program._id;
  await define('products', { sku: 'tea', name: 'Tea', category: 'drinks' });
  await define('products', { sku: 'pen', name: 'Pen', category: 'office' });
  await define('offers', { code: 'EXTRA', name: 'Extra', program, discount: { type: 'points', value: 50 } });
  await define('offers', { code: 'DOUBLE', name: 'Double', program, discount: { type: 'multiplier', value: 2 } });
  await define('offers', { code: 'FIVE', name: 'Five', program, discount: { type: 'amount', value: 5 } });
  await define('rewards', { code: 'MUG', name: 'A mug', program, cost: { purse: 'Points', points: 40 } });
  writeFileSync(path.join(world.rulesDir, 'main', 'worth.csv'), worthCsv);
  await world.publish(rulesOfEverything);
  return world;
}

/** Posts activities of every kind, and cancels and returns, by line and by value, of some that were posted before. */
export async function liveThrough(world: World, next: (n: number) => number, steps: number): Promise<void> {
  const acting = activityApi(world);
  const people = await Promise.all([1, 2, 3, 4].map((n) => world.addMember({ loyaltyIDs: [{ loyaltyID: `L${n}` }] })));
  const posted: { id: string; lines: number; value: number }[] = [];
  for (let step = 0; step < steps; step += 1) {
    world.services.clock.advance(1 + next(3 * 3_600_000));
    if (posted.length > 2 && next(4) === 0) await takeBack(world, posted[next(posted.length)], next);
    else {
      const fields = activityOf(
        people.map(({ referralCode }) => referralCode),
        next,
      );
      const memberID = people[next(people.length)]?._id;
      const { body } = await acting.post({ memberID, ...fields });
      if (!body.result) throw new Error(JSON.stringify(body));
      const id = body.result.data.activityId;
      if (id && body.result.data.status === 'Processed') {
        posted.push({ id, lines: fields.lineItems?.length ?? 0, value: fields.value ?? 0 });
      }
    }
  }
}

interface Posted {
  type: string;
  value?: number;
  lineItems?: object[];
  [field: string]: unknown;
}

const ofWindows = ['week', 'hours', 'year', 'amount', 'shared', 'crossed', 'table'];
const asks = ['offer', 'sell', 'swap', 'give', 'no', 'friend', ...ofWindows];

function activityOf(codes: readonly string[], next: (n: number) => number): Posted {
  const kind = next(12);
  const ask = asks[next(asks.length + 3)];
  const ext = { ...(ask ? { ask } : {}), ...(ask === 'give' ? { to: `L${1 + next(4)}` } : {}) };
  if (kind === 0) return { type: 'Redemption', value: 1 + next(40) };
  const line = (itemSKU: string) => ({ itemSKU, itemPrice: 10 + next(300), quantity: 1 + next(3) });
  const lineItems = kind < 7 ? [line('tea'), line('pen'), line('tea')].slice(0, 1 + next(3)) : undefined;
  const couponCode = ['EXTRA', 'DOUBLE', 'FIVE'][next(6)];
  return {
    type: 'Accrual',
    ext,
    ...(lineItems ? { lineItems } : { value: next(900) }),
    ...(couponCode ? { couponCode } : {}),
    ...(ask === 'friend' ? { referralCode: codes[next(codes.length)] } : {}),
  };
}

async function takeBack(
  world: World,
  posted: { id: string; lines: number; value: number } | undefined,
  next: (n: number) => number,
): Promise<void> {
  const skus = ['tea', 'pen', 'tea'];
  const bodies = [
    {},
    { value: 1 + next(Math.max(1, posted?.value ?? 1)) },
    { lineItems: [{ itemSKU: skus[next(Math.max(1, posted?.lines ?? 1))], quantity: 1 }] },
  ];
  await world.server.as('ledger-admin').post(`/activity/${posted?.id}/cancel`, bodies[next(bodies.length)] ?? {});
}

/** What the members' purses hold together, by purse: the points that all activities moved, as the ledger has them. */
export async function heldByPurse(world: World): Promise<Map<string, number>> {
  const current = new Map<string, number>();
  const { body } = await world.server.as('admin').get('/members?limit=100');
  const members: { purses: { name: string; balance: number }[] }[] = body.items ?? body.data ?? body;
  for (const { purses } of members) {
    for (const { name, balance } of purses) current.set(name, (current.get(name) ?? 0) + balance);
  }
  return current;
}
