import { message } from '#base/common/messages/message';
import { countedMetrics } from '#records/aggregates/metricNames';
import type { TierPolicy } from '#records/programs/tierPolicy';
import type { ProgramReferences } from '../format/ruleReferences';
import { didYouMean } from '../source/nearest';
import type { RuleFault } from '../source/ruleSource';

/**
 * Warns of tier policies with levels that nobody can reach, because neither activities nor rules count their metric.
 * The place is the folder of the program, whose rules would have to count it.
 * @param added the metrics that rules count with `addMetric`
 */
export function tierMetricWarnings(
  { code, purses, records }: Pick<ProgramReferences, 'code' | 'purses' | 'records'>,
  added: readonly string[],
): RuleFault[] {
  const known = [...new Set([...countedMetrics(purses), ...added])];
  return (records?.tierPolicies ?? []).flatMap((policy) =>
    [...new Set(policyMetrics(policy))]
      .filter((metric) => !known.includes(metric))
      .map((metric) => {
        const fault = didYouMean(message('rules.metricNotCounted', { metric }), metric, known);
        return { file: code, line: 1, column: 1, ...message('rules.ofTierPolicy', { fault, policy: policy.name }) };
      }),
  );
}

function policyMetrics({ basis, levels }: TierPolicy): string[] {
  const reached = levels.flatMap(({ lifetime }) => lifetime?.metric ?? []);
  return [...(basis ? [basis.metric] : []), ...reached];
}
