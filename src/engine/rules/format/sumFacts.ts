import { Type } from '@sinclair/typebox';
import { countedMetrics } from '#records/aggregates/metricNames';
import { aggregateParams, crossedParams } from '../language/factParams';
import type { ProgramReferences } from './ruleReferences';

/** The facts that are sums of metrics. Without names, no metric or tier policy is checked. */
export function sumFacts(
  names: (Pick<ProgramReferences, 'purses' | 'tiers'> & { metrics: readonly string[] }) | undefined,
) {
  const known = {
    metrics: names ? [...countedMetrics(names.purses), ...names.metrics] : [],
    tiers: names?.tiers.map(({ name }) => name),
  };
  return {
    aggregate: {
      description:
        "A metric of the member over the period that the activity's date lies in, with what the activity itself adds",
      shape: Type.Number(),
      params: aggregateParams(known),
    },
    crossed: {
      description:
        'How many multiples of `every`, or sums of `at`, the activity carries that aggregate over; one that it reaches exactly counts. 0 when none',
      shape: Type.Integer({ minimum: 0 }),
      params: crossedParams(known),
    },
  };
}
