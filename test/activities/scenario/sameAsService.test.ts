import assert from 'node:assert';
import fc from 'fast-check';
import { runScenario } from '#activities/scenario/runScenario';
import { addTerm } from '#base/calendar/localCalendar';
import { collectionOf } from '#base/db/collections';
import { compiledEvaluator } from '#engine/rules/evaluate/compiledEvaluator';
import type { ScenarioStep } from '#engine/rules/format/scenarioShape';
import { sweepDue } from '#members/memberState/sweepDue';
import { loadRuleReferences } from '#publishing/rulesets/loadRuleReferences';
import type { Member } from '#records/members/member';
import { memberResource } from '#records/members/member';
import type { Client } from '../../support/client';
import { longer, scaled, seedsOf } from '../../support/scale';
import { openWorld, type World } from '../../support/world';
import { activityApi } from '../activityApi';

const value = { fact: 'activity', path: '$.value' };
const points = (purse: string, amount: unknown, more: object = {}) => ({
  type: 'addPoints',
  purse,
  points: amount,
  ...more,
});
const atLeast = (fact: object, least: number) => ({
  all: [{ ...fact, operator: 'greaterThanInclusive', value: least }],
});
const spent = (period: unknown) => ({ fact: 'aggregate', params: { metric: 'spend', period } });

/** Rules of every kind that looks back, waits, is limited or is returned in a way of its own. */
const rules = [
  { key: 'base', actions: [points('Points', { of: value, times: 1.3 })] },
  {
    key: 'lines',
    perLine: true,
    actions: [points('Points', { of: { fact: 'lineItem', path: '$.itemAmount' }, times: 0.7 })],
  },
  { key: 'basket', conditions: atLeast(value, 90), actions: [points('Bonus', 17)] },
  {
    key: 'share',
    onReturn: 'proportional',
    conditions: atLeast(value, 50),
    actions: [points('Bonus', { of: value, times: 2 })],
  },
  { key: 'keep', onReturn: 'keep', actions: [points('Slow', 11)] },
  { key: 'month', conditions: atLeast(spent('month'), 300), actions: [points('Points', 40)] },
  { key: 'week', conditions: atLeast(spent({ last: 7, unit: 'day' }), 200), actions: [points('Slow', 9)] },
  { key: 'day', conditions: atLeast(spent({ last: 24, unit: 'hour' }), 150), actions: [points('Slow', 5)] },
  {
    key: 'crossing',
    conditions: atLeast({ fact: 'crossed', params: { metric: 'spend', period: 'lifetime', every: 250 } }, 1),
    actions: [points('Bonus', 25)],
  },
  {
    key: 'again',
    conditions: atLeast({ fact: 'daysSince', params: { of: 'lastVisit' } }, 10),
    actions: [points('Points', 30)],
  },
  { key: 'gold', tiers: ['Gold'], actions: [points('Points', { of: value, times: 0.5 })] },
  {
    key: 'limited',
    actions: [points('Points', { of: value })],
    limits: [{ what: 'points', per: 'member', period: 'month', max: 220 }],
  },
  {
    key: 'rare',
    actions: [points('Slow', 21)],
    limits: [{ what: 'times', per: 'member', period: { last: 72, unit: 'hour' }, max: 1, onExceed: 'skip' }],
  },
  {
    key: 'burn',
    activityTypes: ['Redemption'],
    actions: [{ type: 'redeemPoints', purse: 'Points', points: { of: value } }],
  },
  {
    key: 'swap',
    activityTypes: ['Redemption'],
    actions: [{ type: 'redeemPoints', purse: 'Bonus', points: { of: value, times: 0.2 } }],
  },
  { key: 'reached', activityTypes: ['TierReached'], actions: [points('Points', 60)] },
  { key: 'lost', activityTypes: ['TierLost'], actions: [points('Bonus', 8)] },
  { key: 'expired', activityTypes: ['PointsExpired'], actions: [points('Slow', 3)] },
].map((rule) => ({ name: rule.key, activityTypes: ['Accrual'], conditions: { all: [] }, ...rule }));

const policies = [
  {
    name: 'Points',
    clawback: 'full' as const,
    overdraftLimit: 30,
    expiry: { type: 'rolling' as const, value: 2, unit: 'month' as const },
  },
  {
    name: 'Bonus',
    clawback: 'toZero' as const,
    overdraftLimit: 500,
    escrow: { type: 'duration' as const, value: 5, unit: 'day' as const },
  },
  {
    name: 'Slow',
    clawback: 'pendingOnly' as const,
    overdraftLimit: 0,

    escrow: { type: 'duration' as const, value: 36, unit: 'hour' as const },
    expiry: { type: 'inactivity' as const, value: 20, unit: 'day' as const },
  },
];

const start = '2026-02-20T09:00:00.000Z';
const timezone = 'America/New_York';

let world: World;
let till: Client;
beforeAll(async () => {
  world = await openWorld({ rules: rules.filter(({ key }) => key !== 'gold'), policies, program: { timezone } });
  const tier = await world.server.as('admin').post('/tierpolicies', {
    name: 'Status',
    program: world.program._id,
    downgrade: 'one',
    levels: [
      { name: 'Silver', number: 1, threshold: 100 },
      { name: 'Gold', number: 2, threshold: 350 },
    ],

    basis: { metric: 'spend', period: 'month' },
    expiry: { value: 30, unit: 'day' },
    grace: { value: 3, unit: 'day' },
  });
  expect(tier.status).toBe(201);
  await world.publish(rules);
  till = world.server.as('admin');
});
afterAll(() => world?.close());

const lineItems = fc.array(
  fc.record({
    itemSKU: fc.constantFrom('A', 'B', 'C'),
    itemPrice: fc.integer({ min: 0, max: 60 }),
    quantity: fc.integer({ min: 1, max: 4 }),
  }),
  { maxLength: 3 },
);
const late = fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined, freq: 5 });
const unit = fc.constantFrom('hour' as const, 'day' as const);

/** A step as drawn: positions are made to fit when the scenario is written down. */
const drawn = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('accrual' as const),
      value: fc.integer({ min: 0, max: 200 }),
      lineItems,
      late,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('redemption' as const), value: fc.integer({ min: 1, max: 120 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('cancel' as const),
      of: fc.nat(),
      part: fc.option(
        fc.oneof(
          fc.record({ value: fc.integer({ min: 1, max: 90 }) }),
          fc.record({
            lineItems: fc.tuple(
              fc.record({ itemSKU: fc.constantFrom('A', 'B', 'C'), quantity: fc.integer({ min: 1, max: 3 }) }),
            ),
          }),
        ),
        { nil: undefined },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), value: fc.integer({ min: 1, max: 25 }), unit }),
  },
);

/** The steps as a test writes them, with a date for late claims, counted from the days that passed. */
function stepsOf(all: readonly (typeof drawn extends fc.Arbitrary<infer T> ? T : never)[]): ScenarioStep[] {
  let now = new Date(start);
  const steps: ScenarioStep[] = [];
  const activities: number[] = [];
  for (const each of all) {
    if (each.kind === 'cancel') {
      if (activities.length === 0) continue;
      steps.push({ cancel: { step: activities[each.of % activities.length] ?? 1, ...each.part } });
    } else if (each.kind === 'wait') {
      now = addTerm(now, each.value, each.unit, timezone);
      steps.push({ wait: { value: each.value, unit: each.unit } });
    } else {
      activities.push(steps.length + 1);
      const type = each.kind === 'accrual' ? 'Accrual' : 'Redemption';
      const items =
        each.kind === 'accrual' && each.lineItems.length > 0 ? { lineItems: each.lineItems } : { value: each.value };
      const days = each.kind === 'accrual' ? each.late : undefined;
      const date = days === undefined ? {} : { date: addTerm(now, -days, 'day', timezone).toISOString() };
      steps.push({ activity: { type, ...items, ...date } });
    }
  }
  return steps;
}

/** What a step came to, by the names of purses. */
interface StepResult {
  balance: Record<string, number>;
  available: Record<string, number>;
  levels: Record<string, string>;
  errors: number[];
}

async function asTested(steps: ScenarioStep[]): Promise<StepResult[]> {
  const { services } = world;
  const definitions = await loadRuleReferences(services.db, services.org._id);
  const [program] = definitions.programs;
  const { body } = await till.get('/rulesets/current');
  const set = await services.ruleSets.current(services.org._id, body.version);
  const [rule] = set?.rules ?? [];
  assert(program && set && rule);
  const test = { name: 't', steps, asOf: new Date(start), expect: {} };
  const results = await runScenario({ rule, test, rules: set, program, definitions, evaluator: compiledEvaluator() });
  return results.map(({ balance, available, levels, errors }) => ({
    balance,
    available,
    levels,
    errors: errors.map(({ code }) => code),
  }));
}

async function asServed(steps: ScenarioStep[]): Promise<StepResult[]> {
  world.services.clock.set(start);
  const member = await world.addMember();
  const ids: string[] = [];
  const results: StepResult[] = [];
  for (const step of steps) {
    const { errors, id } = await serve(member, step, ids);
    await activityApi(world).drain();
    ids.push(id);
    results.push({ ...(await shownOf(member)), errors });
  }
  return results;
}

async function serve({ _id: memberID }: Member, { activity, cancel, wait }: ScenarioStep, ids: readonly string[]) {
  if (wait) {
    await passTo(memberID, addTerm(world.services.clock.now(), wait.value ?? 0, wait.unit ?? 'day', timezone));
    return { errors: [], id: '' };
  }
  const { step, ...part } = cancel ?? { step: 1 };
  const { body } = cancel
    ? await till.post(`/activity/${ids[step - 1]}/cancel`, part)
    : await till.post('/activity', { memberID, ...activity });
  world.services.clock.advance(1);
  const errors: { code: number }[] = body.result?.errors ?? [body];
  return { errors: errors.map(({ code }) => code), id: String(body.result?.data.activityId) };
}

/** Lets time pass with timers that run whenever something of the member is due. */
async function passTo(_id: Member['_id'], date: Date): Promise<void> {
  const { services } = world;
  for (;;) {
    const stored = await collectionOf(services.db, memberResource).findOne({ _id });
    const due = stored?.nextDue;
    if (!due || due > date) break;
    if (due > services.clock.now()) services.clock.set(due);
    await sweepDue(services, { org: services.org._id, now: services.clock.now() });
    await activityApi(world).drain();
  }
  services.clock.set(date);
}

async function shownOf({ _id }: Member): Promise<Omit<StepResult, 'errors'>> {
  const { body } = await till.get(`/members/${_id}`);
  const by = (field: string) =>
    Object.fromEntries(body.purses.map((purse: Record<string, unknown>) => [purse.name, purse[field]]));
  return {
    balance: by('balance'),
    available: by('availBalance'),
    levels: Object.fromEntries(
      body.tiers.map((tier: { name: string; level: { name: string } }) => [tier.name, tier.level.name]),
    ),
  };
}

test.each(seedsOf(11))(
  'a test of steps has the outcome of the service (seed %i)',
  async (seed) => {
    const scenarios = fc.array(drawn, { minLength: 4, maxLength: 14, size: 'max' });
    await fc.assert(
      fc.asyncProperty(scenarios, async (all) => {
        const steps = stepsOf(all);
        expect(await asTested(steps)).toEqual(await asServed(steps));
      }),
      { seed, numRuns: scaled(8, seed), endOnFailure: true },
    );
  },
  120_000 * longer,
);
