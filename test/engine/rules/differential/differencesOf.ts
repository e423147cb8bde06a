import { type CompileParts, compiledEvaluator } from '#engine/rules/evaluate/compiledEvaluator';
import { FactFrame } from '#engine/rules/evaluate/factFrame';
import { outcomeDifferences } from '#engine/rules/evaluate/outcomeDifferences';
import { referenceEvaluator } from '#engine/rules/evaluate/referenceEvaluator';
import { listsFact, noLists } from '#engine/rules/evaluate/resolvedLists';
import { indexRules, priorityLevel } from '#engine/rules/evaluate/ruleSet';
import { EvaluationError } from '#engine/rules/language/evaluationError';
import { type ReadFact, refKey } from '#engine/rules/language/factRef';
import { resolvePath } from '#engine/rules/language/path';
import { rule } from '../builders';
import type { RandomCase } from './randomCase';

/** A planted fault: the parts of the compiled evaluator that it changes. */
export interface Fault {
  parts?: Partial<CompileParts>;
  keyOf?: typeof refKey;
  /** Changes the values that the compiled evaluator reads. */
  read?: (value: unknown) => unknown;
}

const reference = referenceEvaluator();

/** The rules of a case for which the compiled evaluator, possibly with a fault, differs from json-rules-engine. */
export async function differencesOf(input: RandomCase, { parts = {}, keyOf = refKey, read = asIs }: Fault = {}) {
  const { rules } = indexRules(ruleFile(input).map((conditions, n) => rule({ key: `r${n}`, conditions })));
  const readFact = readerOf(input);
  const level = priorityLevel(1, rules, keyOf);
  const frame = new FactFrame(level.facts, (name, params) => read(readFact(name, params)));
  const ours = await compiledEvaluator(parts).forActivity()(level, frame);
  const truth = priorityLevel(1, rules);
  const theirs = await reference.forActivity()(truth, new FactFrame(truth.facts, readFact));
  return outcomeDifferences(rules, ours, theirs);
}

/** A copy of the conditions, as if read from a file: it shares no object with the facts. */
function ruleFile({ conditions }: RandomCase): RandomCase['conditions'] {
  return JSON.parse(JSON.stringify(conditions));
}

const asIs = (value: unknown) => value;

function readerOf({ facts, failing, lists }: RandomCase): ReadFact {
  const byName = new Map(Object.entries(lists).map(([name, texts]) => [name, new Set(texts)]));
  return (name, params) => {
    if (failing.includes(name)) throw new EvaluationError(`${name} cannot be read`);
    if (name === listsFact) return { ...noLists, byName };
    if (name === 'table') return rowOf(facts, params);
    const byParams = dependent[name];
    return byParams ? byParams(facts[name], params ?? {}) : facts[name];
  };
}

/** The row whose name is the value of the key, which is a text or a fact. */
function rowOf({ table, ...facts }: RandomCase['facts'], params: unknown): unknown {
  const key = resolvePath(params, '$.keys[0]');
  const ref = typeof key === 'object' ? String(resolvePath(key, '$.path')) : undefined;
  const name = ref === undefined ? key : resolvePath(facts.activity, ref);
  return typeof name === 'string' ? resolvePath(table, `$['${name || ' '}']`) : undefined;
}

/** The facts whose value depends on their params. */
const dependent: Readonly<Record<string, (value: unknown, params: Readonly<Record<string, unknown>>) => unknown>> = {
  dayOfWeek: (value, { plus = 0 }) => Number(value) + Number(plus),
  aggregate: (value, { metric, period }) => resolvePath(value, `$['${metric} ${period}']`),
  crossed: (value, { metric, every }) => resolvePath(value, `$['${metric} ${every}']`),
  eligibleAmount: sumOfFilter,
  eligibleQuantity: sumOfFilter,
  tender: (value, params) => resolvePath(value, `$.${resolvePath(params, '$.filter.type') ?? 'all'}`),
  pointsOfActivity: (value, { rule = 'all' }) => resolvePath(value, `$.${String(rule)}`),
  amountOfActivity: (value, { rule = 'all' }) => resolvePath(value, `$.${String(rule)}`),
};

function sumOfFilter(value: unknown, params: unknown): unknown {
  return resolvePath(value, `$.${resolvePath(params, '$.filter.inclusionParams.category.searchStr') ?? 'all'}`);
}
