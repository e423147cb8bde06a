import type { ObjectId } from 'bson';
import type { NamedByText } from '#base/schema/namedByText';
import { purseOfMetric } from '#records/aggregates/metricNames';
import type { TierPolicy } from '#records/programs/tierPolicy';

/** A metric, and the field of the tier policy that has it. */
interface TierMetric {
  at: string;
  metric: string;
}

/** The metrics of a tier policy. */
export function tierMetrics({
  basis,
  levels = [],
}: {
  basis?: TierPolicy['basis'] | undefined;
  levels?: TierPolicy['levels'] | undefined;
}): TierMetric[] {
  return [
    ...(basis ? [{ at: 'basis.metric', metric: basis.metric }] : []),
    ...levels.flatMap(({ lifetime }, n) =>
      lifetime?.metric === undefined ? [] : [{ at: `levels.${n}.lifetime.metric`, metric: lifetime.metric }],
    ),
  ];
}

/** The purses of a program that metrics name. */
export function metricPurses(program: ObjectId, metrics: readonly TierMetric[]): NamedByText[] {
  return metrics.flatMap(({ at, metric }) => {
    const name = purseOfMetric(metric);
    return name === undefined ? [] : [{ at, model: 'PursePolicy', fields: { program: program.toHexString(), name } }];
  });
}
