import type { FailedCondition } from './decision';
import type { Rule } from './rule';

/** Whether the conditions of a rule hold; if not, the first that failed; or why they could not be evaluated. */
export type ConditionOutcome =
  | { rule: Rule; holds: true }
  | { rule: Rule; holds: false; failedCondition?: FailedCondition }
  | { rule: Rule; holds: false; error: string };

/** Gives the value of a fact, the same for the same name and parameters during one call of an evaluator. */
export type ReadFact = (name: string, params?: Readonly<Record<string, unknown>>) => unknown;

/** Evaluates the conditions of rules of one priority; outcomes in the order of the rules. */
export interface Evaluator {
  evaluate(rules: readonly Rule[], readFact: ReadFact): Promise<ConditionOutcome[]>;
}
