import { groupBy } from '#base/common/lists/groupBy';
import type { Condition } from '../language/condition';
import { EvaluationError } from '../language/evaluationError';
import { compileComparison, type Operators } from './compileComparison';
import type { CompiledCondition } from './compiledCondition';
import type { FactFrame, FactSlots } from './factFrame';

/** The functions that compile conditions; tests replace them to inject faults. */
export interface ConditionParts {
  operators: Operators;
  /** Groups conditions by priority, in the order in which the groups are evaluated. */
  prioritized(conditions: readonly Condition[]): readonly (readonly Condition[])[];
}

/**
 * Compiles the conditions of a rule.
 * @throws EvaluationError when the root is not all, any or not, which json-rules-engine requires
 */
export function compileRoot(root: Condition, facts: FactSlots, parts: ConditionParts): CompiledCondition {
  if ('all' in root || 'any' in root || 'not' in root) return compileCondition(root, facts, parts);
  throw new EvaluationError('"conditions" root must contain a single instance of "all", "any", "not", or "condition"');
}

function compileCondition(condition: Condition, facts: FactSlots, parts: ConditionParts): CompiledCondition {
  if ('all' in condition) return compileList(condition.all, false, facts, parts);
  if ('any' in condition) return compileList(condition.any, true, facts, parts);
  if ('not' in condition) return negated(compileCondition(condition.not, facts, parts));
  return compileComparison(condition, facts, parts.operators);
}

function negated({ test, strict, mayThrow, explain }: CompiledCondition): CompiledCondition {
  return {
    test: (frame) => !test(frame),
    strict: (frame) => !strict(frame),
    mayThrow,
    explain: (frame, outcome) => explain(frame, !outcome),
  };
}

/** `all` ends at the first false, `any` at the first true. An empty list is true for both. */
function compileList(
  conditions: readonly Condition[],
  ends: boolean,
  facts: FactSlots,
  parts: ConditionParts,
): CompiledCondition {
  const compiled = new Map(conditions.map((each) => [each, compileCondition(each, facts, parts)]));
  const inFile = [...compiled.values()];
  const sets = parts.prioritized(conditions).map((set) => set.flatMap((each) => compiled.get(each) ?? []));
  const ordered = sets.flat();
  const otherwise = inFile.length === 0 ? true : !ends;
  const mayThrow = inFile.some((each) => each.mayThrow);
  const tests = ordered.map(({ test }) => test);
  return {
    test: joinTests(tests, ends, otherwise),
    strict: (frame) => (sets.some((set) => endsIn(set, frame, ends)) ? ends : otherwise),
    mayThrow,
    explain: (frame, outcome) => {
      // A list that did not end early was evaluated as a whole, and every part has the same outcome.
      const culprit = outcome === ends ? ordered.find(({ strict }) => strict(frame) === ends) : inFile[0];
      return culprit?.explain(frame, outcome);
    },
  };
}

function joinTests(tests: readonly CompiledCondition['test'][], ends: boolean, otherwise: boolean) {
  const [only] = tests;
  if (only && tests.length === 1) return only;
  return (frame: FactFrame) => {
    for (const test of tests) if (test(frame) === ends) return ends;
    return otherwise;
  };
}

/** Evaluates all conditions of one priority, as json-rules-engine does. */
function endsIn(set: readonly CompiledCondition[], frame: FactFrame, ends: boolean): boolean {
  let found = false;
  for (const { strict } of set) if (strict(frame) === ends) found = true;
  return found;
}

/**
 * Groups by priority, highest first; the default priority is 1. Within a group, conditions are in the order of the
 * file.
 */
export function prioritized(conditions: readonly Condition[]): Condition[][] {
  const sets = groupBy(conditions, ({ priority }) => priority || 1);
  return [...sets].sort(([a], [b]) => b - a).map(([, set]) => set);
}
