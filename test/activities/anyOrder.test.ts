import { collectionOf } from '#base/db/collections';
import { activityHistoryResource } from '#records/activities/activityHistory';
import type { Member } from '#records/members/member';
import { share } from '../support/scale';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

const clawbacks = ['full', 'toZero', 'pendingOnly'] as const;
type Clawback = (typeof clawbacks)[number];

/** Two purses for each kind of claw-back, so that points can move between them. */
const purses = clawbacks.flatMap((clawback) => [clawback, `${clawback} side`].map((name) => ({ name, clawback })));

const inPurse = (base: typeof earnRule | typeof redeemRule, key: string, purse: string, actions: object[]) => ({
  ...base,
  key: `${key}-${purse.replace(' ', '-')}`,
  name: `${key} ${purse}`,
  conditions: {
    all: [
      { fact: 'activity', path: '$.ext.do', operator: 'equal', value: key },
      { fact: 'activity', path: '$.ext.purse', operator: 'equal', value: purse },
    ],
  },
  actions,
});
const points = { of: { fact: 'activity', path: '$.value' }, times: 1 };
const toMember = { loyaltyID: { fact: 'activity', path: '$.ext.to' } };
const rules = purses.flatMap(({ name: purse }) => [
  inPurse(earnRule, 'earn', purse, [{ type: 'addPoints', purse, points }]),
  inPurse(redeemRule, 'redeem', purse, [{ type: 'redeemPoints', purse, points }]),
  inPurse(redeemRule, 'swap', purse, [{ type: 'transferPoints', purse, points, toPurse: `${purse} side` }]),
  inPurse(redeemRule, 'send', purse, [{ type: 'transferPoints', purse, points, toMember }]),
]);

let world: World;
let acting: ActivityApi;

beforeAll(async () => {
  world = await openWorld({
    rules: rules.filter(({ key }) => !key.startsWith('swap') || !key.endsWith('side')),
    policies: purses.map((purse) => ({ ...purse, expiry: { type: 'rolling', value: 10, unit: 'day' } as const })),
  });
  acting = activityApi(world);
});

beforeEach(() => world.services.clock.set('2026-03-01T12:00:00.000Z'));

afterAll(() => world.close());

/** Each order of cancels has two members of its own. */
interface Pair {
  purse: Clawback;
  member: Member;
  friend: Member;
}
type Step = (pair: Pair) => Promise<string>;

async function addPair(purse: Clawback): Promise<Pair> {
  return { purse, member: await world.addMember(), friend: await world.addMember() };
}

const act = (of: Member, type: string, value: number, ext: object) => acting.processed(type, of._id, { value, ext });
const pass = (days: number) => world.services.clock.advance(days * 86_400_000);
const buy: Step = ({ member, purse }) => act(member, 'Accrual', 100, { do: 'earn', purse });
const swap: Step = ({ member, purse }) => act(member, 'Redemption', 70, { do: 'swap', purse });
const send: Step = ({ member, friend, purse }) =>
  act(member, 'Redemption', 70, { do: 'send', purse, to: friend.loyaltyID });
const redeem: Step = ({ member, purse }) => act(member, 'Redemption', 40, { do: 'redeem', purse });
const redeemAside: Step = ({ member, purse }) =>
  act(member, 'Redemption', 40, { do: 'redeem', purse: `${purse} side` });
const friendRedeems: Step = ({ friend, purse }) => act(friend, 'Redemption', 40, { do: 'redeem', purse });
const mergeFriend = async ({ member, friend }: Pair) => {
  const { status } = await world.server.as('admin').post(`/members/${member._id}/merge`, { memberIds: [friend._id] });
  expect(status).toBe(200);
};

/** The steps between a purchase of 100 and a redemption of 40, and the days before and after each cancel. */
interface Twist {
  steps: Step[];
  daysBefore?: number;
  daysBetween?: number;
  afterFirst?: (pair: Pair) => Promise<void>;
}
const twists: Record<string, Twist> = {
  'nothing else': { steps: [buy, redeem] },
  'the rest expires before': { steps: [buy, redeem], daysBefore: 11 },
  'the rest expires between': { steps: [buy, redeem], daysBetween: 11 },
  'points went to another purse': { steps: [buy, swap, redeemAside] },
  'points went to another purse and expired': { steps: [buy, swap, redeemAside], daysBefore: 11 },
  'points went to another member': { steps: [buy, send, friendRedeems] },
  'they went to another member and expire between': { steps: [buy, send, friendRedeems], daysBetween: 11 },
  'they went to another member, who is merged between': {
    steps: [buy, send, friendRedeems],
    afterFirst: mergeFriend,
  },
};

const ordersOf: Record<number, number[][]> = {
  2: [
    [0, 1],
    [1, 0],
  ],
  3: [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ],
};
test.each(share(Object.entries(twists), 3))('cancels in any order end alike: %s', async (name, twist) => {
  const { steps, daysBefore = 0, daysBetween = 0, afterFirst } = twist;
  const orders = ordersOf[steps.length] ?? [];
  expect(orders).toContainEqual(Array.from(steps.keys()));
  const cases = clawbacks.flatMap((clawback) => orders.map((order) => ({ clawback, order })));
  const runs = await Promise.all(
    cases.map(async ({ clawback, order }) => ({ order, pair: await addPair(clawback), ids: [] as string[] })),
  );
  // All runs make each step at the same time, because they share the clock.
  const each = (work: (run: (typeof runs)[number]) => Promise<unknown>) => Promise.all(runs.map(work));
  for (const step of steps) await each(async ({ pair, ids }) => ids.push(await step(pair)));
  pass(daysBefore);
  for (const place of steps.keys()) {
    await each(({ order, ids }) => cancel(ids[order[place] ?? -1]));
    if (place === 0 && afterFirst) await each(({ pair }) => afterFirst(pair));
    pass(daysBetween);
  }
  const found = await Promise.all(runs.map(({ pair }) => totals(pair)));
  expect(cases.map((run, index) => ({ ...run, ...found[index] }))).toEqual(
    cases.map((run) => ({ ...run, ...ends(run.clawback, name) })),
  );
});

async function cancel(id = ''): Promise<void> {
  const { body } = await acting.cancel(id);
  expect(body.result?.data.status).toBe('Processed');
}

/** The balance and debt of both members in both purses. */
async function totals({ purse, member, friend }: Pair): Promise<{ balance: number; debt: number }> {
  const all = [];
  for (const { _id } of [member, friend]) {
    const { status, body } = await world.server.as('client').get(`/members/${_id}/purses`);
    if (status === 200) all.push(...body);
  }
  const own = all.filter(({ name }: { name: string }) => name.startsWith(purse));
  expect(own.length).toBeGreaterThan(0);
  const total = (field: string) => own.reduce((sum, each) => sum + each[field], 0);
  return { balance: total('balance'), debt: total('debt') };
}

/** The expected totals: with `pendingOnly` released points stay, unless they expired; otherwise nothing stays. */
function ends(clawback: Clawback, twist: string): { balance: number; debt: number } {
  return { balance: clawback === 'pendingOnly' && !twist.includes('expire') ? 100 : 0, debt: 0 };
}

test.each<[Clawback, number, number]>([
  ['full', 100, -40],
  ['toZero', 60, 0],
  ['pendingOnly', 60, 0],
])('points of a transfer that an earlier version stored do not come back twice: %s', async (purse, here, there) => {
  const pair = await addPair(purse);
  const { member } = pair;
  await buy(pair);
  const moved = await swap(pair);
  await redeemAside(pair);
  // Histories of earlier versions do not store the lots that moved points became.
  const histories = collectionOf(world.services.db, activityHistoryResource);
  const { modifiedCount } = await histories.updateMany({ memberID: member._id }, [
    { $unset: 'effects.burned.movedTo' },
  ]);
  expect(modifiedCount).toBe(1);
  await acting.cancel(moved);
  const balances = await Promise.all([purse, `${purse} side`].map((name) => acting.purse(member._id, name)));
  expect(balances.map(({ balance }) => balance)).toEqual([here, there]);
});

test('none of these tests leaves a mismatch in the ledgers', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
