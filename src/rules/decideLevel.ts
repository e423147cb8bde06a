import { effectsOf } from './actions/list';
import { EvaluationError } from './amount';
import { cutToLimits, type Granted } from './cutToLimits';
import type { DecideInput } from './decide';
import type { MatchReason, RuleError } from './decision';
import type { DecisionState } from './decisionState';
import { ineligible } from './eligibility';
import type { LevelOutcome } from './evaluate';
import type { FactRef } from './factRef';
import type { LevelStage } from './levelStage';
import { resolvePath } from './path';
import { pickWinners } from './pickWinners';
import type { Rule } from './rule';

/** A rule whose conditions hold before any effect: broken, or with what it may do. */
type Standing = { rule: Rule; kind: 'broken'; message: string } | { rule: Rule; kind: 'may'; granted: Granted };

/** Decides the rules of one priority: all conditions and amounts first, from the same facts, then effects in order. */
export function decideLevel(stage: LevelStage, outcome: LevelOutcome, input: DecideInput, state: DecisionState): void {
  state.enter(stage, outcome);
  const { readFact } = stage.frame;
  const readRef = ({ fact, path, params }: FactRef) => part(readFact(fact, params), path);
  const standings: Standing[] = [];
  for (const { rule, error } of outcome.hits) {
    if (ineligible(rule, stage)) continue;
    standings.push(
      error === undefined ? propose(rule, readRef, stage, input) : { rule, kind: 'broken', message: error },
    );
  }
  settle(standings, input, state);
}

/** Reports rules that are not reached any more, without evaluating their conditions. */
export function passOver(stage: LevelStage, state: DecisionState): void {
  state.enter(stage);
  for (const rule of stage.level.rules) if (!ineligible(rule, stage)) state.cut(rule, 'stopped');
}

/** As json-rules-engine: a path of something that is no object is the thing itself. */
function part(value: unknown, path: string | undefined): unknown {
  return path === undefined || typeof value !== 'object' || value === null ? value : resolvePath(value, path);
}

function propose(
  rule: Rule,
  readFact: (ref: FactRef) => unknown,
  { local }: LevelStage,
  { activity, memberId, usage }: DecideInput,
): Standing {
  try {
    const effects = rule.actions.flatMap((action, n) => effectsOf(action, { readFact, n }));
    return { rule, kind: 'may', granted: cutToLimits(rule, effects, { activity, memberId, usage, local }) };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { rule, kind: 'broken', message: error.message };
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
