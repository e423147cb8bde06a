import type { Logger } from 'pino';
import { compiledEvaluator } from '#engine/rules/evaluate/compiledEvaluator';
import type { Evaluator } from '#engine/rules/evaluate/evaluator';
import { referenceEvaluator } from '#engine/rules/evaluate/referenceEvaluator';
import { shadowEvaluator } from '#engine/rules/evaluate/shadowEvaluator';
import type { Config } from '#platform/infrastructure/config';
import { reportDifferences } from './reportDifferences';

/** The evaluator of the settings: compiled rules, compiled rules with a checked sample, or json-rules-engine. */
export function openEvaluator(
  { RULES_ENGINE, RULES_SHADOW }: Pick<Config, 'RULES_ENGINE' | 'RULES_SHADOW'>,
  log: Logger,
): Evaluator {
  if (RULES_ENGINE === 'reference') return referenceEvaluator();
  const ours = compiledEvaluator();
  if (RULES_SHADOW === 0) return ours;
  return shadowEvaluator({
    ours,
    reference: referenceEvaluator(),
    isSampled: () => Math.random() < RULES_SHADOW,
    checked: (found) => reportDifferences(found, log),
  });
}
