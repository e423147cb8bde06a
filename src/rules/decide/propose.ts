import type { ObjectId } from 'bson';
import { localDay } from '../../calendar/localCalendar';
import type { Activity } from '../../records/activities/activity';
import type { ActionDefinition } from '../actions/action';
import { definitionOf, type Effect, effectsOf } from '../actions/list';
import { budgetCounter, type CounterKey, limitCounter } from '../format/limits';
import { type Limit, listMax, type Rule } from '../format/rule';
import { EvaluationError } from '../language/amount';
import type { CounterUse } from '../language/decision';
import type { FactRef } from '../language/factRef';
import { partOf } from '../language/path';
import type { DecideInput } from './decideInput';
import type { StageHit } from './levelStage';

/**
 * The effects that a rule may apply when its conditions are true. A `perLine` rule acts for each matching line item in
 * turn, and each time counts in its limits and budget; the results are joined to one proposal.
 * @throws EvaluationError when an amount cannot be computed
 */
export function propose(
  { rule, frames }: Pick<StageHit, 'rule' | 'frames'>,
  { activity, memberId, usage, program }: DecideInput,
): Granted {
  const context: LimitContext = { activity, memberId, usage, timezone: program.timezone };
  const [only] = frames;
  if (only && !rule.perLine) return cutToLimits(rule, effectsAt(rule, only), context);
  const parts: Granted[] = [];
  for (const at of frames) parts.push(cutToLimits(rule, effectsAt(rule, at), afterParts(context, parts)));
  return together(parts);
}

/** The position `n` distinguishes the awards of a rule, so each action of each line item gets its own. */
function effectsAt(rule: StageHit['rule'], { frame, line }: StageHit['frames'][number]) {
  const readFact = ({ fact, path, params }: FactRef) => partOf(path)(frame.readFact(fact, params));
  return rule.actions.flatMap((action, position) => effectsOf(action, { readFact, n: line * listMax + position }));
}

/** The context with the counters as the previous line items leave them. */
function afterParts(context: LimitContext, parts: readonly Granted[]): LimitContext {
  const used = new Map<string, number>();
  for (const { id, amount } of parts.flatMap(({ use }) => use)) {
    const key = id.toHexString();
    used.set(key, (used.get(key) ?? context.usage.get(key) ?? 0) + amount);
  }
  const points = parts.reduce((sum, { granted }) => sum + granted, 0);
  const times = parts.filter(({ effects }) => effects.length > 0).length;
  return { ...context, usage: { get: (key) => used.get(key) ?? context.usage.get(key) }, before: { points, times } };
}

function together(parts: readonly Granted[]): Granted {
  const cutBy = parts.findLast((each) => each.cutBy !== undefined)?.cutBy;
  const rejects = parts.some((each) => each.rejects);
  const refused = rejects || parts.every((each) => each.refused);
  return {
    effects: refused ? [] : parts.flatMap(({ effects }) => effects),
    desired: sum(parts.map(({ desired }) => desired)),
    granted: refused ? 0 : sum(parts.map(({ granted }) => granted)),
    use: refused ? [] : merged(parts.flatMap(({ use }) => use)),
    ...(cutBy && { cutBy }),
    refused,
    rejects,
  };
}

function merged(uses: readonly CounterUse[]): CounterUse[] {
  const byId = new Map<string, CounterUse>();
  for (const use of uses) {
    const key = use.id.toHexString();
    byId.set(key, { ...use, amount: use.amount + (byId.get(key)?.amount ?? 0) });
  }
  return [...byId.values()];
}

function sum(points: readonly number[]): number {
  const total = points.reduce((before, each) => before + each, 0);
  if (!Number.isSafeInteger(total)) throw new EvaluationError('the points of its line items are too large together');
  return total;
}

/** The counters of an activity and what identifies them; read-only. */
interface LimitContext {
  activity: Activity;
  memberId: ObjectId;
  /** By hexadecimal counter id; absent means 0. */
  usage: Pick<ReadonlyMap<string, number>, 'get'>;
  /** What the rule did for the previous line items; limits per transaction count it. */
  before?: { points: number; times: number };
  /** IANA time zone of the program. */
  timezone: string;
}

/** What a rule may do after its limits and budget are applied. */
export interface Granted {
  /** The effects, with reduced points; empty when the rule is refused. */
  effects: readonly Effect[];
  desired: number;
  granted: number;
  use: readonly CounterUse[];
  /** Whether a limit or the budget reduced or refused the points. */
  cutBy?: 'limit' | 'budget';
  /** The rule may not fire at all. */
  refused: boolean;
  /** The limit makes the whole activity fail (2110). */
  rejects: boolean;
}

/**
 * Reduces the effects of a rule to its limits, in the order of the file, and then to its budget. Limits of points and
 * the budget count the points that the rule awards. If it has no action that awards, they count the points that it
 * redeems; if it has neither, the points that it transfers. A limit of times cannot reduce, so it refuses the rule. A
 * rule that wanted points and gets none does not fire. A rule without effects uses up nothing.
 * @throws EvaluationError when the points add up beyond 2^53 - 1
 */
function cutToLimits(rule: Rule, effects: readonly Effect[], context: LimitContext): Granted {
  const counts = countedPoints(rule);
  const desired = pointsOf(effects, counts);
  const whole: Granted = { effects, desired, granted: desired, use: [], refused: false, rejects: false };
  if (effects.length === 0 || (!rule.limits && !rule.budget)) return whole;
  const gates = gatesOf(rule, context);
  let allowed = desired;
  let cutBy: Granted['cutBy'];
  for (const gate of gates) {
    const wanted = gate.what === 'points' ? allowed : 1;
    if (wanted <= gate.left) continue;
    cutBy = gate.kind;
    const reduces = gate.onExceed === 'reduce' && gate.what === 'points' && gate.left > 0;
    if (!reduces) return { ...whole, ...nothing, cutBy, rejects: gate.onExceed === 'reject' };
    allowed = gate.left;
  }
  const kept = allowed === desired ? effects : cutPoints(effects, counts, allowed);
  const use = gates.flatMap((gate) => useOf(gate, allowed));
  return { ...whole, effects: kept, granted: allowed, use, ...(cutBy && { cutBy }) };
}

const nothing = { effects: [], granted: 0, refused: true };

/** A limit or budget and how much of it is left. */
interface Gate {
  kind: 'limit' | 'budget';
  what: 'points' | 'times';
  max: number;
  left: number;
  onExceed: Limit['onExceed'];
  counter?: CounterKey;
}

function gatesOf(rule: Rule, { activity, memberId, usage, timezone, before }: LimitContext): Gate[] {
  const leftOf = (counter: CounterKey) => Math.max(0, counter.max - (usage.get(counter.id.toHexString()) ?? 0));
  const gates = (rule.limits ?? []).map((limit): Gate => {
    const { what, max, onExceed } = limit;
    const counter = limitCounter(rule, limit, activity, memberId, localDay(activity.date, timezone));
    return {
      kind: 'limit',
      what,
      max,
      onExceed,
      left: counter ? leftOf(counter) : max - (before?.[what] ?? 0),
      ...(counter && { counter }),
    };
  });
  if (!rule.budget) return gates;
  const counter = budgetCounter(rule, rule.budget.points);
  const { what, max } = counter;
  return [...gates, { kind: 'budget', what, max, onExceed: 'reduce', left: leftOf(counter), counter }];
}

function useOf({ counter }: Gate, granted: number): CounterUse[] {
  if (!counter) return [];
  const amount = counter.what === 'points' ? granted : 1;
  return amount === 0 ? [] : [{ id: counter.id, what: counter.what, amount, max: counter.max }];
}

type Counts = NonNullable<ActionDefinition<never, Effect>['points']>;

function countedPoints(rule: Rule): Counts {
  const counted = ['awarded', 'redeemed', 'transferred'] as const;
  return counted.find((each) => rule.actions.some(({ type }) => definitionOf(type)?.points === each)) ?? 'awarded';
}

function isCounted(effect: Effect, counts: Counts): effect is Extract<Effect, { points: number }> {
  return definitionOf(effect.type)?.points === counts;
}

function pointsOf(effects: readonly Effect[], counts: Counts): number {
  const sum = effects.reduce((total, effect) => (isCounted(effect, counts) ? total + effect.points : total), 0);
  if (!Number.isSafeInteger(sum)) throw new EvaluationError('the points of its actions are too large together');
  return sum;
}

/** Keeps the first `allowed` points in the order of the actions. */
function cutPoints(effects: readonly Effect[], counts: Counts, allowed: number): Effect[] {
  let left = allowed;
  return effects.flatMap((effect): Effect[] => {
    if (!isCounted(effect, counts)) return [effect];
    const points = Math.min(effect.points, left);
    left -= points;
    return points === 0 ? [] : [{ ...effect, points }];
  });
}
