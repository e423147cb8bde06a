import { Engine, Rule as EngineRule } from 'json-rules-engine';
import { compiledEvaluator } from '#engine/rules/evaluate/compiledEvaluator';
import type { LevelOutcome } from '#engine/rules/evaluate/evaluator';
import { FactFrame } from '#engine/rules/evaluate/factFrame';
import { priorityLevel } from '#engine/rules/evaluate/ruleSet';
import type { Rule } from '#engine/rules/format/rule';
import type { Comparison, Condition } from '#engine/rules/language/condition';
import { operators } from '#engine/rules/language/operators';
import { resolvePath } from '#engine/rules/language/path';

type Facts = Readonly<Record<string, unknown>>;

/** Evaluates all rules for the facts of one activity; returns the number of rules whose conditions hold. */
export type Evaluate = (facts: Facts) => number | Promise<number>;

/** json-rules-engine in its default configuration, with two operators added that it does not have. */
export function asInstalled(rules: readonly Rule[]): Evaluate {
  const engine = new Engine();
  addRules(engine, rules, (conditions) => conditions);
  return async (facts) => (await engine.run({ ...facts })).events.length;
}

/**
 * json-rules-engine in its fastest configuration. It uses no JSONPath library and no fact cache, which would hash the
 * parameters. With priorities, cheap and selective conditions run first.
 */
export function atItsBest(rules: readonly Rule[]): Evaluate {
  const engine = new Engine([], { pathResolver: resolvePath });
  addRules(engine, rules, withPriorities);
  let now: Facts = {};
  for (const name of ['activity', 'member', 'isBirthday', 'dayOfWeek', 'hour']) {
    engine.addFact(name, () => now[name], { cache: false });
  }
  return async (facts) => {
    now = facts;
    return (await engine.run()).events.length;
  };
}

/**
 * The service's own evaluator. With `explains`, it also finds the failed condition of every rule that does not hold.
 */
export function compiledOnce(rules: readonly Rule[], explains = false): Evaluate {
  const level = priorityLevel(1, rules);
  const evaluate = compiledEvaluator().forActivity();
  return (facts) => {
    const outcome = evaluate(level, new FactFrame(level.facts, (name) => facts[name]));
    if (outcome instanceof Promise) throw new Error('the compiled evaluator answers at once');
    if (explains) explainAll(rules, outcome);
    return outcome.hits.length;
  };
}

function explainAll(rules: readonly Rule[], outcome: LevelOutcome): void {
  const current = new Set(outcome.hits.map(({ rule }) => rule));
  for (const rule of rules) {
    if (!current.has(rule) && !outcome.failedCondition(rule)) throw new Error(`${rule.key} is not explained`);
  }
}

function addRules(engine: Engine, rules: readonly Rule[], prepare: (condition: Condition) => Condition): void {
  for (const name of ['before', 'after']) {
    engine.addOperator(
      name,
      (a, b) => operators[name]?.compare(a, b, { dateMs: Number.NaN, listed: () => undefined }) ?? false,
    );
  }
  for (const { key, conditions } of rules) {
    const own = prepare(structuredClone(conditions)) as EngineRule['conditions'];
    engine.addRule(new EngineRule({ name: key, conditions: own, event: { type: key } }));
  }
}

/** Runs equalities first, then comparisons of numbers, then lists and nested conditions. */
function withPriorities(condition: Condition): Condition {
  if ('all' in condition) return { ...condition, all: condition.all.map(withPriorities) };
  return { ...condition, priority: 'fact' in condition ? rankOf(condition) : 1 };
}

function rankOf({ operator, path = '' }: Comparison): number {
  if (path === '$.type') return 2;
  if (path.includes('*')) return 1;
  return operator === 'equal' ? 5 : operator === 'in' || operator.startsWith('someFact') ? 4 : 3;
}
