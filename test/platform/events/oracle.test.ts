import { type ActivityApi, activityApi } from '../../activities/activityApi';
import { scaled, seedsOf } from '../../support/scale';
import { openAlongside } from '../../support/services';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';
import { followEvents } from './following';
import { toldFaults } from './toldFaults';

const inPurse = (purse: string, times: number) => ({
  type: 'addPoints',
  purse,
  points: { of: { fact: 'activity', path: '$.value' }, times },
});
const rules = [
  { ...earnRule, actions: [inPurse('Points', 1), inPurse('Held', 2)] },
  redeemRule,
  {
    key: 'move',
    name: 'Points become held ones',
    status: 'active',
    activityTypes: ['Referral'],
    conditions: { all: [] },
    actions: [{ type: 'transferPoints', purse: 'Points', toPurse: 'Held', points: 3 }],
  },
];
const policies = [
  { overdraftLimit: 20, expiry: { type: 'rolling' as const, value: 9, unit: 'day' as const } },
  { name: 'Held', escrow: { type: 'duration' as const, value: 3, unit: 'day' as const } },
];

let world: World;
let acting: ActivityApi;
afterEach(() => world.close());

/** Numbers from 0 to below `below`, the same ones for each seed. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test.each(seedsOf(19))(
  'events add up to the purses and name each history once, whatever happens (seed %i)',
  async (seed) => {
    world = await openWorld({ rules, policies });
    acting = activityApi(world);
    world.services.clock.set('2026-03-01T10:00:00.000Z');
    const other = await openAlongside(world.server.services);
    const reader = await followEvents(world, 'start');
    const pick = numbersOf(seed);
    const admin = world.server.as('ledger-admin');
    let members = await Promise.all(Array.from({ length: 6 }, () => world.addMember()));
    const done: string[] = [];
    const someone = () => members[pick(members.length)] ?? members[0];
    const post = (type: string) =>
      acting.post({ type, memberID: someone()?._id, value: 1 + pick(9), externalTxnId: `${type}-${pick(10_000)}` });
    const acts: (() => Promise<unknown>)[] = [
      async () => {
        const { body } = await post('Accrual');
        if (body.result?.data.activityId) done.push(body.result.data.activityId);
      },
      () => post('Redemption'),
      () => post('Referral'),
      async () => {
        const id = done[pick(done.length)];
        if (id) await acting.cancel(id, pick(2) ? { value: 1 } : {});
      },
      async () => {
        const id = done[pick(done.length)];
        if (id) await acting.cancel(id);
      },
      () => admin.post('/jobs/daychange/run'),
      () =>
        admin.post('/accrualitems', {
          member: someone()?._id,
          purse: world.policies[0]?._id,
          accruedPoints: 1 + pick(5),
        }),
      async () => {
        world.services.clock.advance(pick(3) * 86_400_000);
      },
    ];
    const events = [];
    // So that each run has events of points, however few its random acts are.
    for (const { _id } of members) await acting.processed('Accrual', _id, { value: 5 });
    for (let round = 0; round < scaled(12); round += 1) {
      // The acts of a round are under way together.
      await Promise.all(Array.from({ length: 8 }, () => acts[pick(acts.length)]?.()));
      if (round === 5) {
        const [merged, survivor] = members;
        const { status } = await admin.post(`/members/${survivor?._id}/merge`, { memberIds: [merged?._id] });
        expect(status).toBe(200);
        members = members.slice(1);
      }
      events.push(...(await reader.more()));
    }
    events.push(...(await reader.more()));
    expect(await toldFaults(world, events)).toEqual([]);
    expect(events.filter(({ type }) => type.startsWith('points.')).length).toBeGreaterThan(10);
    await other.close();
  },
);
