import type { ObjectId } from 'bson';
import { dayMs } from '#base/common/durations';
import { numberEvents } from '#platform/events/numberEvents';
import type { Member } from '#records/members/member';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import { makeTierPolicy } from '../../support/definitions';
import { ruleWhen } from '../../support/ruleWhen';
import { addOffer, openWorld, type World } from '../../support/world';

const value = { of: { fact: 'activity', path: '$.value' }, times: 1 };
const toMember = { loyaltyID: { fact: 'activity', path: '$.ext.to' } };
const perDay = { what: 'points', per: 'member', period: 'day', max: 500, onExceed: 'reduce' };
const perWeek = { what: 'points', per: 'member', period: { last: 7, unit: 'day' }, max: 900, onExceed: 'reduce' };
const award = (purse: string, more: object = {}) => ({ type: 'addPoints', purse, points: value, ...more });
const spending = { activityTypes: ['Redemption'] };

/** Rules of every kind that leaves other records behind. An activity chooses its rule by `ext.rule`. */
const rules = [
  ruleWhen('earn', { actions: [award('Points')], limits: [perDay, perWeek] }),
  ruleWhen('bonus', { actions: [award('Points')], budget: { points: 1_000_000 } }),
  ruleWhen('held', { actions: [award('Held')] }),
  ruleWhen('pooled', { actions: [award('Points', { pool: { share: 0.5 } })] }),
  ruleWhen('count', {
    actions: [{ type: 'addMetric', metric: 'stamps', value: 3, expires: { value: 5, unit: 'day' } }],
  }),
  ruleWhen('issue', { actions: [{ type: 'issueReward', reward: 'MUG' }] }),
  ruleWhen('spend', { ...spending, actions: [{ type: 'redeemPoints', purse: 'Points', points: value }] }),
  ruleWhen('swap', {
    ...spending,
    actions: [{ type: 'transferPoints', purse: 'Points', points: value, toPurse: 'Side' }],
  }),
  ruleWhen('send', { ...spending, actions: [{ type: 'transferPoints', purse: 'Points', points: value, toMember }] }),
  {
    ...ruleWhen('returns', {
      activityTypes: ['Cancellation'],
      actions: [{ type: 'addMetric', metric: 'cancels', value: 1 }],
      limits: [{ what: 'times', per: 'program', period: 'lifetime', max: 100_000, onExceed: 'skip' }],
    }),
    conditions: { all: [] },
  },
];

/** A world in which activities leave records of every kind that `reconcile` compares. */
export interface VariedWorld {
  world: World;
  acting: ActivityApi;
  head: Member;
  addMember(): Promise<Member>;
  /** Posts an activity that chooses a rule; it may end in Error. @returns the id of its history, if it has one */
  act(memberID: ObjectId, rule: string, value: number, fields?: object): Promise<string | undefined>;
  /** Runs every timer once, and gives events their numbers. */
  runTimers(): Promise<void>;
}

/** Opens the world on the day after this one, with a family head. Its events are older than its activities. */
export async function openVariedWorld(): Promise<VariedWorld> {
  const world = await openWorld({
    rules: [],
    policies: [
      { name: 'Points', primary: true, overdraftLimit: 50, expiry: { type: 'rolling', value: 20, unit: 'day' } },
      { name: 'Held', escrow: { type: 'duration', value: 2, unit: 'day' }, clawback: 'pendingOnly' },
      { name: 'Side', clawback: 'toZero' },
    ],
  });
  const { server, services, author, program } = world;
  services.clock.advance(dayMs);
  await makeTierPolicy(services.db, author, program, { basis: { metric: 'spend', period: 'month' } });
  await addOffer(world, 'TEN', { discount: { type: 'points', value: 5 }, uses: { total: 1000, perMember: 100 } });
  const reward = { code: 'MUG', name: 'A mug', program: program._id, cost: { purse: 'Points', points: 4 } };
  await server.as('admin').post('/rewards', { ...reward, uses: { total: 1000 } });
  await world.publish(rules);
  const acting = activityApi(world);
  const head = await world.addMember({ type: 'Pooled' });
  const timers = ['escrow', 'members', 'aggregates'];
  return {
    world,
    acting,
    head,
    addMember: () => world.addMember({ familyHead: head._id }),
    async act(memberID, rule, amount, { ext, ...fields }: { ext?: object } = {}) {
      const type = ['spend', 'swap', 'send'].includes(rule) ? 'Redemption' : 'Accrual';
      const { body } = await acting.post({ type, memberID, value: amount, ext: { rule, ...ext }, ...fields });
      return body.result?.data?.activityId ?? undefined;
    },
    async runTimers() {
      for (const job of timers) await server.as('admin').post(`/jobs/${job}/run`);
      await numberEvents(services, services.clock.now());
    },
  };
}
