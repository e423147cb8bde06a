import { collectionOf } from '../../src/db/collections';
import { activityHistoryResource } from '../../src/records/activities/activityHistory';
import type { Member } from '../../src/records/members/member';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type Acting, actingIn } from './acting';

const clawbacks = ['full', 'toZero', 'pendingOnly'] as const;
type Clawback = (typeof clawbacks)[number];

/** Of each clawback two purses, so that points can go from one to the other. */
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
let acting: Acting;
let member: Member;
let friend: Member;

beforeAll(async () => {
  world = await openWorld({
    rules: rules.filter(({ key }) => !key.startsWith('swap') || !key.endsWith('side')),
    policies: purses.map((purse) => ({ ...purse, expiry: { type: 'rolling', value: 10, unit: 'day' } as const })),
  });
  acting = actingIn(world);
});

beforeEach(async () => {
  world.services.clock.set('2026-03-01T12:00:00.000Z');
  member = await world.addMember();
  friend = await world.addMember();
});

afterEach(async () => {
  expect(await acting.mismatches()).toEqual([]);
});

afterAll(() => world.close());

const act = (of: Member, type: string, value: number, ext: object) => acting.processed(type, of._id, { value, ext });
const pass = (days: number) => world.services.clock.advance(days * 86_400_000);
const mergeFriend = async () => {
  const { status } = await world.server.as('admin').post(`/members/${member._id}/merge`, { memberIds: [friend._id] });
  expect(status).toBe(200);
};

/** What happens between a purchase of 100 and a redemption of 40, and between their cancels. */
const twists: Record<string, (purse: string) => { steps: (() => Promise<string>)[]; between?: () => unknown }> = {
  'nothing else': (purse) => ({ steps: [buy(purse), redeem(purse)] }),
  'the rest expires before': (purse) => ({ steps: [buy(purse), async () => late(await redeem(purse)())] }),
  'the rest expires between': (purse) => ({ steps: [buy(purse), redeem(purse)], between: () => pass(11) }),
  'points went to another purse': (purse) => ({ steps: [buy(purse), swap(purse), redeem(`${purse} side`)] }),
  'points went to another purse and expired': (purse) => ({
    steps: [buy(purse), swap(purse), async () => late(await redeem(`${purse} side`)())],
  }),
  'points went to another member': (purse) => ({ steps: [buy(purse), send(purse), redeem(purse, friend)] }),
  'they went to another member and expire between': (purse) => ({
    steps: [buy(purse), send(purse), redeem(purse, friend)],
    between: () => pass(11),
  }),
  'they went to another member, who is merged between': (purse) => {
    let isMerged = false;
    const between = async () => {
      if (!isMerged) await mergeFriend();
      isMerged = true;
    };
    return { steps: [buy(purse), send(purse), redeem(purse, friend)], between };
  },
};
const buy = (purse: string) => () => act(member, 'Accrual', 100, { do: 'earn', purse });
const swap = (purse: string) => () => act(member, 'Redemption', 70, { do: 'swap', purse });
const send = (purse: string) => () => act(member, 'Redemption', 70, { do: 'send', purse, to: friend.loyaltyID });
const redeem =
  (purse: string, of = member) =>
  () =>
    act(of, 'Redemption', 40, { do: 'redeem', purse });
function late(id: string): string {
  pass(11);
  return id;
}

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
const cases = clawbacks.flatMap((clawback) => Object.keys(twists).map((twist) => [clawback, twist] as const));

test.each(cases)('%s, %s: cancelled in any order, the end is the same', async (clawback, twist) => {
  expect.hasAssertions();
  for (const order of ordersOf[twists[twist]?.(clawback).steps.length ?? 0] ?? []) {
    member = await world.addMember();
    friend = await world.addMember();
    const { steps, between } = twists[twist]?.(clawback) ?? { steps: [] };
    const ids: string[] = [];
    for (const step of steps) ids.push(await step());
    for (const index of order) {
      await acting.cancel(ids[index] ?? '');
      await between?.();
    }
    expect({ order, ...(await totals(clawback)) }).toEqual({ order, ...ends(clawback, twist) });
  }
});

/** What both members hold and owe in both purses. */
async function totals(clawback: Clawback): Promise<{ balance: number; debt: number }> {
  const all = [];
  for (const { _id } of [member, friend]) {
    const { status, body } = await world.server.as('client').get(`/members/${_id}/purses`);
    if (status === 200) all.push(...body);
  }
  const own = all.filter(({ name }: { name: string }) => name.startsWith(clawback));
  expect(own.length).toBeGreaterThan(0);
  const total = (field: string) => own.reduce((sum, purse) => sum + purse[field], 0);
  return { balance: total('balance'), debt: total('debt') };
}

/** Released points stay where the policy reverses pending ones only, unless they expired; elsewhere nothing does. */
function ends(clawback: Clawback, twist: string): { balance: number; debt: number } {
  return { balance: clawback === 'pendingOnly' && !twist.includes('expire') ? 100 : 0, debt: 0 };
}

test.each<[string, number, number]>([
  ['full', 100, -40],
  ['toZero', 60, 0],
  ['pendingOnly', 60, 0],
])(
  '%s: of a transfer stored by the version before, what was spent where it went does not come back as well',
  async (purse, here, there) => {
    await buy(purse)();
    const moved = await swap(purse)();
    await redeem(`${purse} side`)();
    // It did not keep as which lot points arrived.
    const histories = collectionOf(world.services.db, activityHistoryResource);
    const { modifiedCount } = await histories.updateMany({ memberID: member._id }, [
      { $unset: 'effects.burned.movedTo' },
    ]);
    expect(modifiedCount).toBe(1);
    await acting.cancel(moved);
    const balances = await Promise.all([purse, `${purse} side`].map((name) => acting.purse(member._id, name)));
    expect(balances.map(({ balance }) => balance)).toEqual([here, there]);
  },
);
