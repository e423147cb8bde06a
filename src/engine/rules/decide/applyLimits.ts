import { localDay } from '#base/calendar/localCalendar';
import { addDecimals } from '#base/common/addDecimals';
import {
  type CountedPoints,
  countedBy,
  countedPoints,
  type Effect,
  findActionDefinition,
  isCounted,
  type RuleFacts,
  ruleEffects,
} from '../actions/list';
import type { Limit } from '../format/limitShape';
import {
  budgetCounter,
  type Counter,
  type CounterKey,
  type LimitPlace,
  limitCounter,
  limitReads,
} from '../format/limits';
import type { Rule } from '../format/rule';
import { type Amount, computeBaseAmount } from '../language/amount';
import { instantMs } from '../language/instantMs';
import type { ActivityUses, LimitUse } from './awardsAndUses';
import type { DecideInput } from './decideInput';

/** What a rule may do after its limits and budget are applied. */
export interface Granted {
  /** The effects, with reduced points; empty when the rule is refused. */
  effects: readonly Effect[];
  desired: number;
  granted: number;
  use: readonly LimitUse[];
  /** What the points were computed from; only when a limit counts it. */
  amount?: number;
  /** Whether a limit or the budget reduced or refused the points. */
  cutBy?: 'limit' | 'budget';
  /** The rule may not fire at all. */
  refused: boolean;
  /** The limit makes the whole activity fail (2110). */
  rejects: boolean;
}

/** A rule with limits or a budget, and what they depend on. */
interface Cut {
  rule: Rule;
  facts: RuleFacts;
  input: DecideInput;
  /** What counters have used before the rule. */
  uses: ActivityUses;
}

/**
 * Reduces the effects of a rule to its limits and its budget: first the limits of amounts, then the others in the order
 * of the file. Limits of points and the budget count the points that the rule awards. If it has no action that awards,
 * they count the points that it redeems; if it has neither, the points that it transfers. A limit of times cannot
 * reduce, so it refuses the rule. A rule that wanted points and gets none does not fire.
 * @param whole what the rule would do without limits
 * @throws EvaluationError when an amount cannot be computed, or the points add up beyond 2^53 - 1
 */
export function applyLimits(whole: Granted, { rule, facts, input, uses }: Cut): Granted {
  const counts = countedBy(rule.actions);
  const gates = listGates(rule, limitPlace(rule, facts, input), uses);
  const byAmount = cutAmount(rule, facts, gates, whole);
  if (byAmount.refused) return byAmount;
  let allowed = countedPoints(byAmount.effects, counts);
  let { cutBy } = byAmount;
  for (const gate of gates) {
    const wanted = gate.what === 'points' ? allowed : 1;
    if (gate.what === 'amount' || wanted <= gate.left) continue;
    cutBy = gate.kind;
    const reduces = gate.onExceed === 'reduce' && gate.what === 'points' && gate.left > 0;
    if (!reduces) return refusedBy(gate, whole);
    allowed = gate.left;
  }
  const kept = cutPoints(byAmount.effects, counts, allowed);
  const use = gates.flatMap((gate) => limitUses(gate, { points: allowed, times: 1, amount: byAmount.amount ?? 0 }));
  return { ...byAmount, effects: kept, granted: allowed, use, ...(cutBy && { cutBy }) };
}

/** Cuts the amount that the points are computed from to what the limits of amounts have left. */
function cutAmount(rule: Rule, facts: RuleFacts, gates: readonly Gate[], whole: Granted): Granted {
  const limits = gates.filter(({ what }) => what === 'amount');
  if (limits.length === 0) return whole;
  const amount = countedAmount(rule, facts);
  const least = limits.reduce((one, other) => (other.left < one.left ? other : one));
  if (amount <= least.left) return { ...whole, amount };
  if (limits.some(({ left, onExceed }) => amount > left && onExceed !== 'reduce') || least.left <= 0) {
    return refusedBy(limits.find(({ left, onExceed }) => amount > left && onExceed !== 'reduce') ?? least, whole);
  }
  const effects = ruleEffects(rule.actions, { ...facts, baseMax: least.left });
  return effects.length === 0 ? refusedBy(least, whole) : { ...whole, effects, amount: least.left, cutBy: 'limit' };
}

/** What a rule with a limit of amounts computes its points from. `checkLimits` lets it have one such action only. */
function countedAmount({ actions }: Rule, { readFact }: RuleFacts): number {
  const award = actions.find(({ type }) => findActionDefinition(type)?.points === 'awarded');
  const points = award && 'points' in award ? (award.points as Amount | undefined) : undefined;
  return points === undefined ? 0 : computeBaseAmount(points, readFact);
}

function refusedBy({ kind, onExceed }: Gate, whole: Granted): Granted {
  return { ...whole, effects: [], granted: 0, refused: true, cutBy: kind, rejects: onExceed === 'reject' };
}

/** A limit or budget and how much of it is left. */
interface Gate {
  kind: 'limit' | 'budget';
  what: Limit['what'];
  left: number;
  onExceed: Limit['onExceed'];
  counter: Counter | CounterKey;
}

function limitPlace(rule: Rule, facts: RuleFacts, { activity, memberId, program, subjects }: DecideInput): LimitPlace {
  const [enrolment] = limitReads(rule);
  const enrolled = enrolment ? instantMs(facts.readFact(enrolment)) : Number.NaN;
  const enrolledAt = Number.isNaN(enrolled) ? undefined : new Date(enrolled);
  const owner = { memberId, program, ...subjects, enrolledAt };
  return { activity, owner, day: localDay(activity.date, program.timezone), line: facts.line };
}

function listGates(rule: Rule, place: LimitPlace, uses: ActivityUses): Gate[] {
  const gateOf = (counter: Counter | CounterKey, onExceed: Limit['onExceed']): Gate => {
    const { kind, what, max } = counter;
    return { kind, what, onExceed, left: Math.max(0, addDecimals(max, -uses.used(counter))), counter };
  };
  const gates = (rule.limits ?? []).flatMap(({ onExceed }, index) => {
    const counter = limitCounter(rule, index, place);
    return counter ? [gateOf(counter, onExceed)] : [];
  });
  return rule.budget ? [...gates, gateOf(budgetCounter(rule, rule.budget.points), 'reduce')] : gates;
}

function limitUses({ counter, what }: Gate, used: Record<Limit['what'], number>): LimitUse[] {
  const amount = used[what];
  const line = counter.by?.line;
  return amount <= 0 ? [] : [{ counter, amount, ...(line === undefined ? {} : { lines: [line] }) }];
}

/** Keeps the first `allowed` points in the order of the actions. */
function cutPoints(effects: readonly Effect[], counts: CountedPoints, allowed: number): readonly Effect[] {
  if (countedPoints(effects, counts) === allowed) return effects;
  let left = allowed;
  return effects.flatMap((effect): Effect[] => {
    if (!isCounted(effect, counts)) return [effect];
    const points = Math.min(effect.points, left);
    left -= points;
    return points === 0 ? [] : [{ ...effect, points }];
  });
}
