import { effectsOf } from './actions/list';
import { EvaluationError } from './amount';
import { cutToLimits, type Granted, type LimitContext } from './cutToLimits';
import type { DecideInput } from './decide';
import type { FailedCondition, MatchReason, RuleError } from './decision';
import type { DecisionState } from './decisionState';
import { ineligible } from './eligibility';
import type { ReadFact } from './evaluate';
import type { FactRef } from './factRef';
import { resolvePath } from './path';
import { type DecidedGroups, pickWinners } from './pickWinners';
import type { ActivityFacts } from './readFact';
import type { Rule } from './rule';
import type { RuleLevel } from './ruleSet';

/** Where a rule of the level stands before any effect: out, broken, or with what it may do. */
type Standing =
  | { rule: Rule; kind: 'out'; reason: MatchReason; failedCondition?: FailedCondition }
  | { rule: Rule; kind: 'broken'; message: string }
  | { rule: Rule; kind: 'may'; granted: Granted };

/** Decides the rules of one priority: all conditions and amounts first, from the same facts, then effects in order. */
export async function decideLevel(
  level: RuleLevel,
  input: DecideInput,
  facts: ActivityFacts,
  state: DecisionState,
): Promise<void> {
  const member = input.target.memberFacts();
  const readFact = facts.reader(member);
  const readRef = ({ fact, path, params }: FactRef) => part(readFact(fact, params), path);
  recordReads(level, readRef, state);
  const limits: LimitContext = { ...input, local: facts.local };
  const evaluated = await evaluateRules(level.rules, input, facts, member, readFact);
  const standings = evaluated.map((each) => (each.kind === 'may' ? propose(each.rule, readRef, limits) : each));
  settle(standings, input, state);
}

function recordReads({ reads, priority }: RuleLevel, readRef: (ref: FactRef) => unknown, state: DecisionState): void {
  for (const { key, ref } of reads) {
    try {
      state.read(key, { ...ref, priority, value: readRef(ref) });
    } catch (error) {
      // The rules that ask for it name the failure.
      if (!(error instanceof EvaluationError)) throw error;
    }
  }
}

/** Reports rules that are not reached any more, without evaluating their conditions. */
export function passOver(
  { rules }: RuleLevel,
  input: DecideInput,
  { local }: ActivityFacts,
  state: DecisionState,
): void {
  const eligibility = { date: input.activity.date, local, member: input.target.memberFacts() };
  for (const rule of rules) {
    const why = ineligible(rule, eligibility);
    state.missed(rule, why?.reason ?? 'stopped', failedOf(why ?? {}));
  }
}

/** As json-rules-engine: a path of something that is no object is the thing itself. */
function part(value: unknown, path: string | undefined): unknown {
  return path === undefined || typeof value !== 'object' || value === null ? value : resolvePath(value, path);
}

type Evaluated = Exclude<Standing, { kind: 'may' }> | { rule: Rule; kind: 'may' };

async function evaluateRules(
  rules: readonly Rule[],
  { activity, evaluator }: DecideInput,
  { local }: ActivityFacts,
  member: Readonly<Record<string, unknown>>,
  readFact: ReadFact,
): Promise<Evaluated[]> {
  const eligibility = { date: activity.date, local, member };
  const out = new Map(
    rules.flatMap((rule) => {
      const why = ineligible(rule, eligibility);
      return why ? [[rule, why] as const] : [];
    }),
  );
  const eligible = rules.filter((rule) => !out.has(rule));
  const outcomes = eligible.length === 0 ? [] : await evaluator.evaluate(eligible, readFact);
  const byRule = new Map(outcomes.map((outcome) => [outcome.rule, outcome]));
  return rules.map((rule): Evaluated => {
    const why = out.get(rule);
    if (why) return { rule, kind: 'out', ...why };
    const outcome = byRule.get(rule);
    if (outcome?.holds) return { rule, kind: 'may' };
    if (!outcome || 'error' in outcome) return { rule, kind: 'broken', message: outcome?.error ?? 'was not evaluated' };
    const { failedCondition } = outcome;
    return { rule, kind: 'out', reason: 'conditionFailed', ...(failedCondition && { failedCondition }) };
  });
}

function propose(rule: Rule, readFact: (ref: FactRef) => unknown, limits: LimitContext): Standing {
  try {
    const effects = rule.actions.flatMap((action, n) => effectsOf(action, { readFact, n }));
    return { rule, kind: 'may', granted: cutToLimits(rule, effects, limits) };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { rule, kind: 'broken', message: error.message };
  }
}

function settle(standings: readonly Standing[], input: DecideInput, state: DecisionState): void {
  const winners = winnersOf(standings, state.decidedGroups);
  for (const standing of standings) {
    const { rule, kind } = standing;
    if (kind === 'out') state.missed(rule, standing.reason, failedOf(standing));
    else if (kind === 'broken') breakDown(rule, standing.message, state);
    else if (state.isOver) state.missed(rule, 'stopped', pointsOf(standing.granted, 0));
    else if (standing.granted.refused) refuse(rule, standing.granted, state);
    else if (!winners.has(rule)) state.missed(rule, 'groupLost', pointsOf(standing.granted, 0));
    else fire(rule, standing.granted, input, state);
  }
}

function winnersOf(standings: readonly Standing[], decided: DecidedGroups): Set<Rule> {
  const candidates = standings.flatMap((standing) =>
    standing.kind === 'may' && !standing.granted.refused
      ? [{ rule: standing.rule, points: standing.granted.granted }]
      : [],
  );
  return pickWinners(candidates, decided);
}

function breakDown(rule: Rule, message: string, state: DecisionState): void {
  state.missed(rule, 'error');
  state.failed(ruleError(2900, `Rule ${rule.key} failed to evaluate: ${message}`, rule), true);
}

function refuse(rule: Rule, granted: Granted, state: DecisionState): void {
  state.missed(rule, cutReason(granted) ?? 'limitReached', pointsOf(granted, 0));
  if (granted.rejects) state.failed(ruleError(2110, `A limit of rule ${rule.key} is used up`, rule), false);
}

function fire(rule: Rule, granted: Granted, { target }: DecideInput, state: DecisionState): void {
  for (const effect of granted.effects) {
    const error = effect.type === 'reject' ? ruleError(2400, effect.message, rule) : target.apply(effect, rule);
    if (!error) continue;
    state.failed(error, false);
    if (effect.type === 'reject') break;
    state.missed(rule, 'error', pointsOf(granted, 0));
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

function failedOf({ failedCondition }: { failedCondition?: FailedCondition }) {
  return failedCondition === undefined ? {} : { failedCondition };
}

function ruleError(code: number, message: string, { key }: Rule): RuleError {
  return { code, message, status: 422, rule: key };
}
