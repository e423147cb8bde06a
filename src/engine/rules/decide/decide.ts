import { type Message, message } from '#base/common/messages/message';
import type { Rule } from '../format/rule';
import type { Decision, MatchReason, RuleError } from '../language/decision';
import { EvaluationError } from '../language/evaluationError';
import { ActivityFacts } from './activityFacts';
import type { Granted } from './applyLimits';
import { ActivityUses } from './awardsAndUses';
import { candidateAwards, candidateAwardsAgain, storedUses } from './candidateAwards';
import type { DecideInput } from './decideInput';
import { DecisionState } from './decisionState';
import {
  evaluateGroup,
  type GroupHit,
  type GroupOutcome,
  groupHits,
  ineligible,
  type PriorityGroup,
  priorityGroup,
  readFacts,
} from './priorityGroup';

/**
 * Evaluates the rules of an activity and applies their effects to the target, one priority level after the other.
 * All rules of one level see the same facts; the next level sees the effects of this one. A fatal error (a reject, a
 * limit that rejects, an effect that the target refuses) ends the evaluation. A rule that fails to evaluate (2900)
 * makes the activity fail too, but the other rules are still evaluated and reported.
 */
export async function decide(input: DecideInput): Promise<Decision> {
  const { levels, tables } = input.rules.forActivity(input.program._id, input.activity.type);
  const facts = new ActivityFacts(input);
  const evaluate = input.evaluator.forActivity();
  const state = new DecisionState(facts.awards, new ActivityUses(input));
  for (const level of levels) {
    const stage = priorityGroup(level, input, facts, tables);
    if (state.isOver) {
      passOver(stage, state);
      continue;
    }
    readFacts(stage);
    // Awaits only a promise: the compiled evaluator returns a value, and awaiting it at each level would cost time.
    const outcome = evaluateGroup(stage, evaluate);
    decideLevel(stage, outcome instanceof Promise ? await outcome : outcome, input, state);
  }
  return state.decision();
}

/** A rule whose conditions are true: either broken (it failed to evaluate), or with the effects it may apply. */
type RuleProposal =
  | { rule: Rule; kind: 'broken'; reason: string }
  | { rule: Rule; kind: 'may'; hit: GroupHit; granted: Granted };

/**
 * Decides the rules of one priority: first all conditions and amounts from the same facts, then the effects in order.
 */
function decideLevel(stage: PriorityGroup, outcome: GroupOutcome, input: DecideInput, state: DecisionState): void {
  state.enter(stage, outcome);
  const proposals: RuleProposal[] = [];
  for (const hit of groupHits(stage, outcome)) {
    if (!ineligible(hit.rule, stage)) proposals.push(ruleProposal(hit, input, state));
  }
  fireOrCut(proposals, input, state);
}

/** Reports the eligible rules of a level as stopped, without evaluating their conditions. */
function passOver(stage: PriorityGroup, state: DecisionState): void {
  state.enter(stage);
  for (const rule of stage.level.rules) if (!ineligible(rule, stage)) state.cut(rule, 'stopped');
}

function ruleProposal(hit: GroupHit, input: DecideInput, { uses }: DecisionState): RuleProposal {
  const { rule, error } = hit;
  if (error !== undefined) return { rule, kind: 'broken', reason: error };
  try {
    return { rule, kind: 'may', hit, granted: candidateAwards(hit, input, uses) };
  } catch (failure) {
    if (!(failure instanceof EvaluationError)) throw failure;
    return { rule, kind: 'broken', reason: failure.message };
  }
}

function fireOrCut(proposals: readonly RuleProposal[], input: DecideInput, state: DecisionState): void {
  const losers = losingRules(proposals, state);
  for (const proposal of proposals) {
    const { rule, kind } = proposal;
    if (kind === 'broken') breakDown(rule, proposal.reason, state);
    else if (state.isOver) state.cut(rule, 'stopped', limitedPoints(proposal.granted, 0));
    else if (proposal.granted.refused) refuse(rule, proposal.granted, state);
    else if (losers?.has(rule)) state.cut(rule, 'groupLost', limitedPoints(proposal.granted, 0));
    else fireWithin(proposal.hit, proposal.granted, input, state);
  }
}

/** Fires a rule with what the rules before it left of the limits that they share. */
function fireWithin(hit: GroupHit, proposed: Granted, input: DecideInput, state: DecisionState): void {
  const { rule } = hit;
  const isShared = rule.limits?.some(({ limitGroup }) => limitGroup !== undefined) === true;
  const granted = isShared ? candidateAwardsAgain(hit, input, state.uses) : proposed;
  if (granted.refused) refuse(rule, granted, state);
  else fire(hit, granted, input, state);
}

/** The rules that lose to another rule of their group; undefined when no rule has a group. */
function losingRules(proposals: readonly RuleProposal[], { decidedGroups }: DecisionState): Set<Rule> | undefined {
  if (!proposals.some(({ rule }) => rule.group !== undefined)) return undefined;
  const candidates = proposals.flatMap((proposal) =>
    proposal.kind === 'may' && !proposal.granted.refused
      ? [{ rule: proposal.rule, points: proposal.granted.granted }]
      : [],
  );
  const winners = pickWinners(candidates, decidedGroups);
  return new Set(candidates.flatMap(({ rule }) => (winners.has(rule) ? [] : [rule])));
}

/** A rule that may fire: its conditions are true and no limit refuses it. `points` is what it would award. */
interface RuleCandidate {
  rule: Rule;
  points: number;
}

/** Groups with `pick: first` of which a rule fired at a higher priority. */
type DecidedGroups = ReadonlySet<string>;

/**
 * Picks the candidates of one priority that may fire. A group with `pick` first, highest or lowest has one winner; in a
 * tie, the first in rule order. Rules after a winner with `stop` cannot run, so they do not compete for their group.
 */
function pickWinners(candidates: readonly RuleCandidate[], decided: DecidedGroups): Set<Rule> {
  let reach = candidates.length;
  for (;;) {
    const winners = winningRules(candidates.slice(0, reach), decided);
    const stopsAt = candidates.findIndex(({ rule }) => rule.stop === true && winners.has(rule));
    if (stopsAt === -1 || stopsAt + 1 >= reach) return winners;
    reach = stopsAt + 1;
  }
}

function winningRules(candidates: readonly RuleCandidate[], decided: DecidedGroups): Set<Rule> {
  const best = new Map<string, RuleCandidate>();
  const winners = new Set<Rule>();
  for (const candidate of candidates) {
    const { group, pick = 'all' } = candidate.rule;
    if (group === undefined || pick === 'all') winners.add(candidate.rule);
    else if (!decided.has(group)) best.set(group, better(best.get(group), candidate, pick));
  }
  for (const { rule } of best.values()) winners.add(rule);
  return winners;
}

function better(
  known: RuleCandidate | undefined,
  next: RuleCandidate,
  pick: 'first' | 'highest' | 'lowest',
): RuleCandidate {
  if (!known || pick === 'first') return known ?? next;
  const isBetter = pick === 'highest' ? next.points > known.points : next.points < known.points;
  return isBetter ? next : known;
}

function breakDown(rule: Rule, reason: string, state: DecisionState): void {
  state.cut(rule, 'error');
  state.failed(ruleError(2900, message('rules.failed', { rule: rule.key, reason }), rule), true);
}

function refuse(rule: Rule, granted: Granted, state: DecisionState): void {
  state.cut(rule, cutReason(granted) ?? 'limitReached', limitedPoints(granted, 0));
  if (granted.rejects) state.failed(ruleError(2110, message('rules.limitUsedUp', { rule: rule.key }), rule), false);
}

function fire(hit: GroupHit, granted: Granted, { target }: DecideInput, state: DecisionState): void {
  const { rule } = hit;
  for (const effect of granted.effects) {
    const error =
      effect.type === 'reject' ? ruleError(2400, { message: effect.message }, rule) : target.apply(effect, rule);
    if (!error) continue;
    state.failed(error, false);
    if (effect.type === 'reject') break;
    state.cut(rule, 'error', limitedPoints(granted, 0));
    return;
  }
  state.awards.add(hit, granted);
  state.uses.add(granted.use.filter(({ counter }) => counter.isShared));
  state.fired(rule, limitedPoints(granted, granted.granted), storedUses(granted.use), cutReason(granted));
}

function cutReason({ cutBy }: Granted): MatchReason | undefined {
  if (cutBy === undefined) return undefined;
  return cutBy === 'budget' ? 'budgetEmpty' : 'limitReached';
}

function limitedPoints({ desired }: Granted, granted: number) {
  return desired === 0 ? {} : { desired, granted };
}

function ruleError(code: number, fault: Message, { key }: Rule): RuleError {
  return { code, ...fault, status: 422, rule: key };
}
