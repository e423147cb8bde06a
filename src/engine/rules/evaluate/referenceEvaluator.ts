import { Engine, Rule as EngineRule, Operator, OperatorDecorator, type RuleResult } from 'json-rules-engine';
import { factNames } from '../format/facts';
import type { Rule } from '../format/rule';
import type { FailedCondition } from '../language/decision';
import type { ReadFact } from '../language/factRef';
import { failedCondition } from '../language/failedCondition';
import { instantMs } from '../language/instantMs';
import { holdsForEvery, type OperatorContext, operators } from '../language/operators';
import { resolvePath } from '../language/path';
import type { ConditionHit, Evaluator, LevelOutcome } from './evaluator';
import { readResolvedLists } from './resolvedLists';

type ConditionOutcome =
  | { rule: Rule; holds: true }
  | { rule: Rule; holds: false; failedCondition?: FailedCondition }
  | { rule: Rule; holds: false; error: string };

/**
 * The reference evaluator: a new json-rules-engine Engine for every call. Engines and their rules have state of a run,
 * so they are never shared. Only parsed conditions are cached; the library clones them before it writes results into
 * them.
 */
export function referenceEvaluator(): Evaluator {
  const parsed = new WeakMap<Rule, EngineRule['conditions']>();
  const conditionsOf = (rule: Rule) => {
    const known = parsed.get(rule);
    if (known) return known;
    const conditions = parseConditions(rule.conditions);
    parsed.set(rule, conditions);
    return conditions;
  };
  const outcomesOf = async (rules: readonly Rule[], readFact: ReadFact): Promise<ConditionOutcome[]> => {
    try {
      return await runEngine(rules, conditionsOf, readFact);
    } catch (error) {
      // One failing rule fails the whole run of an Engine, so each rule gets a run of its own.
      if (rules.length === 1) return rules.map((rule) => ({ rule, holds: false, error: thrownMessage(error) }));
      const outcomes = await Promise.all(rules.map((rule) => outcomesOf([rule], readFact)));
      return outcomes.flat();
    }
  };
  return {
    forActivity:
      () =>
      async ({ rules }, { readFact }) =>
        levelOutcome(await outcomesOf(rules, readFact)),
  };
}

function levelOutcome(outcomes: readonly ConditionOutcome[]): LevelOutcome {
  const failed = new Map<Rule, FailedCondition | undefined>();
  const hits = outcomes.flatMap((outcome): ConditionHit[] => {
    if (outcome.holds) return [{ rule: outcome.rule }];
    if ('error' in outcome) return [{ rule: outcome.rule, error: outcome.error }];
    failed.set(outcome.rule, outcome.failedCondition);
    return [];
  });
  return { hits, failedCondition: (rule) => failed.get(rule) };
}

/**
 * Parses conditions with json-rules-engine.
 * @throws Error when json-rules-engine refuses them
 */
export function parseConditions(conditions: Rule['conditions']): EngineRule['conditions'] {
  // The library writes into what it parses (a condition's priority), and rules are frozen.
  const own = structuredClone(conditions) as EngineRule['conditions'];
  return new EngineRule({ conditions: own, event }).conditions;
}

const event = { type: 'holds' };

async function runEngine(
  rules: readonly Rule[],
  conditionsOf: (rule: Rule) => EngineRule['conditions'],
  readFact: ReadFact,
): Promise<ConditionOutcome[]> {
  const engine = new Engine([], { pathResolver: resolvePath, allowUndefinedFacts: false });
  addOperators(engine, {
    dateMs: activityDateMs(readFact),
    listed: (name) => readResolvedLists(readFact).byName.get(name),
  });
  // The function is async: if a fact threw synchronously, the library would leave promises that nobody awaits.
  for (const name of factNames) engine.addFact(name, async (params) => readFact(name, params), uncached);
  rules.forEach((rule, index) => {
    const engineRule = new EngineRule({ name: String(index), event } as EngineRule);
    engineRule.conditions = conditionsOf(rule);
    engine.addRule(engineRule);
  });
  const { results, failureResults } = await engine.run();
  const byIndex = new Map([...results, ...failureResults].map((result) => [result.name, result]));
  return rules.map((rule, index) => conditionOutcome(rule, byIndex.get(String(index))));
}

/** Turns the library's cache off: it hashes every parameter object, and `readFact` caches its values itself. */
const uncached = { cache: false };

const noContext: OperatorContext = { dateMs: Number.NaN, listed: () => undefined };
const contextual = ['withinDays', 'inNamedList'];

const fixedOperators = Object.entries(operators)
  .filter(([name]) => !contextual.includes(name))
  .map(([name, { compare }]) => new Operator(name, (fact, value) => compare(fact, value, noContext)));

/** The library's own is false where a path finds nothing, and true of an empty list. */
const everyFact = new OperatorDecorator('everyFact', (fact: unknown, value: unknown, next) =>
  holdsForEvery(fact, (each) => next(each, value)),
);

function addOperators(engine: Engine, context: OperatorContext): void {
  engine.addOperatorDecorator(everyFact);
  for (const operator of fixedOperators) engine.addOperator(operator);
  for (const name of contextual) {
    engine.addOperator(name, (fact, value) => operators[name]?.compare(fact, value, context) ?? false);
  }
}

function activityDateMs(readFact: ReadFact): number {
  const activity = readFact('activity');
  const date = typeof activity === 'object' && activity !== null && 'date' in activity ? activity.date : undefined;
  return instantMs(date);
}

function conditionOutcome(rule: Rule, result: RuleResult | undefined): ConditionOutcome {
  if (!result) return { rule, holds: false, error: 'was not evaluated' };
  if (result.result) return { rule, holds: true };
  const failed = failedCondition(result.conditions);
  return failed === undefined ? { rule, holds: false } : { rule, holds: false, failedCondition: failed };
}

function thrownMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
