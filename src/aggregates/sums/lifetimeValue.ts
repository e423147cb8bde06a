import type { Member } from '../../records/members/member';

/** The value of a lifetime metric that a member holds now; one that has ended counts no more. */
export function lifetimeValue(aggregates: Member['aggregates'], metric: string, now: Date): number {
  const open = aggregates.filter(
    ({ metricName, expirationDate }) => metricName === metric && (!expirationDate || expirationDate > now),
  );
  return open.reduce((sum, { metricAggValue }) => sum + metricAggValue, 0);
}
