import type { Rule } from '../format/rule';
import { EvaluationError } from '../language/amount';
import type { MatchReason, RuleError } from '../language/decision';
import type { Granted } from './cutToLimits';
import type { DecideInput } from './decideInput';
import type { DecisionState } from './decisionState';
import { hitsOf, type StageHit } from './hits';
import { ineligible } from './ineligible';
import type { LevelStage, StageOutcome } from './levelStage';
import { pickWinners } from './pickWinners';
import { propose } from './propose';

/** A rule whose conditions hold before any effect: broken, or with what it may do. */
type Standing = { rule: Rule; kind: 'broken'; message: string } | { rule: Rule; kind: 'may'; granted: Granted };

/** Decides the rules of one priority: all conditions and amounts first, from the same facts, then effects in order. */
export function decideLevel(stage: LevelStage, outcome: StageOutcome, input: DecideInput, state: DecisionState): void {
  state.enter(stage, outcome);
  const standings: Standing[] = [];
  for (const hit of hitsOf(stage, outcome)) {
    if (!ineligible(hit.rule, stage)) standings.push(standingOf(hit, input));
  }
  settle(standings, input, state);
}

/** Reports rules that are not reached any more, without evaluating their conditions. */
export function passOver(stage: LevelStage, state: DecisionState): void {
  state.enter(stage);
  for (const rule of stage.level.rules) if (!ineligible(rule, stage)) state.cut(rule, 'stopped');
}

function standingOf(hit: StageHit, input: DecideInput): Standing {
  const { rule, error } = hit;
  if (error !== undefined) return { rule, kind: 'broken', message: error };
  try {
    return { rule, kind: 'may', granted: propose(hit, input) };
  } catch (failure) {
    if (!(failure instanceof EvaluationError)) throw failure;
    return { rule, kind: 'broken', message: failure.message };
  }
}

function settle(standings: readonly Standing[], input: DecideInput, state: DecisionState): void {
  const losers = losersOf(standings, state);
  for (const standing of standings) {
    const { rule, kind } = standing;
    if (kind === 'broken') breakDown(rule, standing.message, state);
    else if (state.isOver) state.cut(rule, 'stopped', pointsOf(standing.granted, 0));
    else if (standing.granted.refused) refuse(rule, standing.granted, state);
    else if (losers?.has(rule)) state.cut(rule, 'groupLost', pointsOf(standing.granted, 0));
    else fire(rule, standing.granted, input, state);
  }
}

/** Rules that lose their group; undefined when none is in one. */
function losersOf(standings: readonly Standing[], { decidedGroups }: DecisionState): Set<Rule> | undefined {
  if (!standings.some(({ rule }) => rule.group !== undefined)) return undefined;
  const candidates = standings.flatMap((standing) =>
    standing.kind === 'may' && !standing.granted.refused
      ? [{ rule: standing.rule, points: standing.granted.granted }]
      : [],
  );
  const winners = pickWinners(candidates, decidedGroups);
  return new Set(candidates.flatMap(({ rule }) => (winners.has(rule) ? [] : [rule])));
}

function breakDown(rule: Rule, message: string, state: DecisionState): void {
  state.cut(rule, 'error');
  state.failed(ruleError(2900, `Rule ${rule.key} failed to evaluate: ${message}`, rule), true);
}

function refuse(rule: Rule, granted: Granted, state: DecisionState): void {
  state.cut(rule, cutReason(granted) ?? 'limitReached', pointsOf(granted, 0));
  if (granted.rejects) state.failed(ruleError(2110, `A limit of rule ${rule.key} is used up`, rule), false);
}

function fire(rule: Rule, granted: Granted, { target }: DecideInput, state: DecisionState): void {
  for (const effect of granted.effects) {
    const error = effect.type === 'reject' ? ruleError(2400, effect.message, rule) : target.apply(effect, rule);
    if (!error) continue;
    state.failed(error, false);
    if (effect.type === 'reject') break;
    state.cut(rule, 'error', pointsOf(granted, 0));
    return;
  }
  state.fired(rule, pointsOf(granted, granted.granted), granted.use, cutReason(granted));
}

function cutReason({ cutBy }: Granted): MatchReason | undefined {
  if (cutBy === undefined) return undefined;
  return cutBy === 'budget' ? 'budgetEmpty' : 'limitReached';
}

function pointsOf({ desired }: Granted, granted: number) {
  return desired === 0 ? {} : { desired, granted };
}

function ruleError(code: number, message: string, { key }: Rule): RuleError {
  return { code, message, status: 422, rule: key };
}
