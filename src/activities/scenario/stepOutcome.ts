import type { Outcome } from '#activities/state/pipelineRequest';
import { errorEntry, type ServiceError } from '#base/common/errors';
import { joinMessages, type Message, message, pickMessage } from '#base/common/messages/message';
import type { ScenarioStep } from '#engine/rules/format/scenarioShape';
import type { TestRun } from '#engine/rules/ruleTests/runTest';
import type { StepOutcome } from '#engine/rules/ruleTests/scenario';
import type { ActivityHistory } from '#records/activities/activityHistory';
import { type AwardedSoFar, awardedSince } from './awardedSoFar';
import { type Balances, memberBalances } from './balances';
import type { ScenarioWorld } from './scenarioWorld';

/** What a step did. A request that the service refuses has an error and no outcome. */
export interface StepResult {
  outcome?: Outcome;
  refused?: ServiceError;
}

/** A step that was run, with the state before it. */
interface FinishedStep extends StepResult {
  step: ScenarioStep;
  index: number;
  before: { balances: Balances; awarded: AwardedSoFar };
  original: ActivityHistory | undefined;
  /** The outcomes of the occasions that it caused. */
  caused: readonly Outcome[];
}

/** The outcome of a step, with the occasions that it caused. */
export function stepOutcome(world: ScenarioWorld, run: TestRun, done: FinishedStep): StepOutcome {
  const { step, index, before, outcome, refused, caused } = done;
  const after = memberBalances(world);
  const outcomes = [...(outcome ? [outcome] : []), ...caused];
  const matches = outcomes.flatMap(({ ruleMatch = [] }) => ruleMatch);
  const errors = [...(refused ? [stepRefusal(refused)] : []), ...outcomes.flatMap(({ result }) => result.errors)];
  const hasSucceeded = !refused && outcome?.result.errors.length === 0;
  return {
    step,
    at: ['steps', index],
    title: stepTitle(step),
    points: differences(after.balance, before.balances.balance),
    balance: after.balance,
    available: after.available,
    ...awardedSince(before.awarded, world),
    levels: Object.fromEntries(world.member.tiers.map(({ name, level }) => [name, level.name])),
    returned: hasSucceeded ? returnedByRule(world, run, done) : {},
    fired: matches.flatMap(({ fired, key }) => (fired === true ? [String(key)] : [])),
    reasons: new Map(matches.flatMap(({ fired, key, sentence }) => (fired ? [] : [[String(key), String(sentence)]]))),
    errors: errors.map(({ code, ...error }) => ({ code, ...pickMessage(error) })),
    data: Object.assign({}, ...outcomes.map(({ result }) => (result.errors.length === 0 ? result.data : {}))),
    notes: [...notFiredNotes(done), ...movementNotes(outcomes, before.balances, after)],
  };
}

/** The error of a request that the service would refuse, with the fields that it names. */
function stepRefusal(error: ServiceError): Message & { code: number } {
  const { code, ...entry } = errorEntry(error);
  const fields = (error.details.errors ?? []).map(({ path, ...fault }) =>
    message('rules.atPath', { path, fault: pickMessage(fault) }),
  );
  return { code, ...(fields.length > 0 ? joinMessages('comma', fields) : pickMessage(entry)) };
}

function stepTitle({ activity, cancel, wait }: ScenarioStep): string {
  if (activity) return String(activity.type);
  if (cancel) return `${cancel.lineItems || cancel.value ? 'return of a part' : 'cancel'} of step ${cancel.step}`;
  const { value, unit, until } = wait ?? {};
  return until ? `until ${until}` : `${value} ${unit}${value === 1 ? ' passes' : 's pass'}`;
}

function differences(after: Record<string, number>, before: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([purse, points]) => [purse, points - (before[purse] ?? 0)]));
}

/** The points that a cancel returned, by the key of the rule that gave them. The key of a table counts all its rows. */
function returnedByRule(world: ScenarioWorld, { rules }: TestRun, { original }: FinishedStep): Record<string, number> {
  const sums: Record<string, number> = {};
  const after = original && world.histories.get(original._id.toHexString())?.effects?.accrued;
  for (const [index, { rule: id, returned }] of (after ?? []).entries()) {
    const points = returned - (original?.effects?.accrued[index]?.returned ?? 0);
    const rule = rules.rules.find(({ _id }) => id?.equals(_id));
    for (const key of new Set(rule ? [rule.key, rule.row?.table ?? rule.key] : [])) {
      sums[key] = (sums[key] ?? 0) + points;
    }
  }
  return sums;
}

/** Why nothing fired for an activity; at most three rules. */
function notFiredNotes({ step: { activity }, outcome }: FinishedStep): string[] {
  const matches = outcome?.ruleMatch ?? [];
  if (!activity || !outcome || matches.some(({ fired }) => fired)) return [];
  if (matches.length === 0) return [`No rule of the test is for ${String(activity.type)}; "fired" names further ones.`];
  return matches.slice(0, 3).map(({ key, sentence }) => `${String(key)}: ${String(sentence)}`);
}

/** What moved points: the rules that fired, the awards of a return, and what time released or let expire. */
function movementNotes(outcomes: readonly Outcome[], before: Balances, after: Balances): string[] {
  const fired = outcomes.flatMap(({ ruleMatch = [] }) => ruleMatch.filter(({ fired: isFired }) => isFired));
  const rules = fired.map(({ key, sentence }) => `${String(key)}: ${String(sentence)}`);
  const returned = outcomes
    .flatMap(({ result }) => result.log)
    .flatMap(({ action, results }) => (action === 'returnAward' ? [String(Object(results).message)] : []));
  const expired = Object.entries(differences(after.expired, before.expired)).flatMap(([purse, points]) =>
    points > 0 ? [`${points} ${purse} expired.`] : [],
  );
  const waiting = Object.entries(after.escrowed).flatMap(([purse, points]) =>
    points > 0 ? [`${points} ${purse} are in escrow.`] : [],
  );
  return [...rules, ...returned, ...expired, ...waiting];
}
