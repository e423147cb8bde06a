import { isDeepStrictEqual } from 'node:util';
import type { Rule } from '../format/rule';
import type { FailedCondition } from '../language/decision';
import type { LevelOutcome } from './evaluator';

/** The outcome of one evaluator for a rule. The messages of errors are not compared. */
export interface Verdict {
  holds: boolean;
  failed: boolean;
  failedCondition?: FailedCondition;
}

/** A rule for which two evaluators have different outcomes. */
export interface OutcomeDifference {
  rule: Rule;
  ours: Verdict;
  reference: Verdict;
}

/** The rules for which two outcomes of the same level differ, including their `failedCondition`. */
export function outcomeDifferences(
  rules: readonly Rule[],
  ours: LevelOutcome,
  reference: LevelOutcome,
): OutcomeDifference[] {
  const [a, b] = [verdicts(rules, ours), verdicts(rules, reference)];
  return rules.flatMap((rule, index) => {
    const [left, right] = [a[index], b[index]];
    return left && right && !isDeepStrictEqual(left, right) ? [{ rule, ours: left, reference: right }] : [];
  });
}

function verdicts(rules: readonly Rule[], outcome: LevelOutcome): Verdict[] {
  const hits = new Map(outcome.hits.map((hit) => [hit.rule, hit]));
  return rules.map((rule) => {
    const hit = hits.get(rule);
    if (hit) return { holds: hit.error === undefined, failed: hit.error !== undefined };
    const failedCondition = outcome.failedCondition(rule);
    return { holds: false, failed: false, ...(failedCondition && { failedCondition }) };
  });
}
