import { prioritized } from '#engine/rules/evaluate/compileCondition';
import { findEqualities } from '#engine/rules/evaluate/equalities';
import type { Condition } from '#engine/rules/language/condition';
import { type OperatorDefinition, operators } from '#engine/rules/language/operators';
import type { Fault } from './differencesOf';

/** Possible mistakes in the compiler, by name. Each must cause a difference from the reference. */
export const faults: Readonly<Record<string, Fault>> = {
  'an operator that leaves out its bound': { parts: { operators: operatorAs('greaterThanInclusive', 'greaterThan') } },
  'an operator that knows no dates': { parts: { operators: identityAsEqual() } },
  'an index that takes one branch of any for all': {
    parts: {
      findEqualities: (root, facts) => findEqualities(firstBranch(root), facts),
    },
  },
  'an index that looks below not': {
    parts: { findEqualities: (root, facts) => findEqualities(withoutNot(root), facts) },
  },
  'conditions of low priority first': { parts: { prioritized: (some) => prioritized(some).reverse() } },
  'priorities that are ignored': { parts: { prioritized: (some) => [some] } },
  'a cache key without parameters': { keyOf: ({ fact, path }) => `${fact} ${path}` },
  'a cache key without the path': { keyOf: ({ fact, params }) => `${fact} ${JSON.stringify(params)}` },
  'a cache key of a metric without its period': {
    keyOf: ({ fact, path, params }) => `${fact} ${path} ${params?.metric ?? JSON.stringify(params)}`,
  },
  'a cache key without what lies deeper in parameters': {
    keyOf: ({ fact, path, params }) => `${fact} ${path} ${Object.entries(params ?? {}).join()}`,
  },
  'an operator that knows no named lists': { parts: { operators: operatorAs('inNamedList', 'startsWith') } },
  'an index that takes the tags of a place for those of a product': {
    parts: { findEqualities: (root, facts) => findEqualities(withFact(root, 'location', 'product'), facts) },
  },
  'a missing fact that is null': { read: (value) => (value === undefined ? null : value) },
};

function operatorAs(name: string, other: string): Record<string, OperatorDefinition> {
  const { [other]: wrong } = operators;
  return { ...operators, ...(wrong && { [name]: wrong }) };
}

function identityAsEqual(): Record<string, OperatorDefinition> {
  const { equal } = operators;
  return { ...operators, ...(equal && { equal: { ...equal, compare: (a, b) => a === b } }) };
}

function firstBranch(condition: Condition): Condition {
  if ('all' in condition) return { all: condition.all.map(firstBranch) };
  return 'any' in condition ? { all: condition.any.slice(0, 1).map(firstBranch) } : condition;
}

function withoutNot(condition: Condition): Condition {
  if ('all' in condition) return { all: condition.all.map(withoutNot) };
  if ('any' in condition) return { any: condition.any.map(withoutNot) };
  return 'not' in condition ? withoutNot(condition.not) : condition;
}

function withFact(condition: Condition, from: string, to: string): Condition {
  if ('all' in condition) return { ...condition, all: condition.all.map((each) => withFact(each, from, to)) };
  if ('any' in condition) return { ...condition, any: condition.any.map((each) => withFact(each, from, to)) };
  if ('not' in condition) return { ...condition, not: withFact(condition.not, from, to) };
  return condition.fact === from ? { ...condition, fact: to } : condition;
}
