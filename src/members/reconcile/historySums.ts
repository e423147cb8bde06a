import type { ObjectId } from 'bson';
import type { ActivityHistory } from '#records/activities/activityHistory';

type Metrics = NonNullable<ActivityHistory['ruleCounts']>['metrics'];

/** What sums over histories need of each. */
type Summed = Pick<ActivityHistory, 'memberID'> & {
  effects?: { metrics?: Metrics };
  ruleCounts?: { metrics: Metrics };
};

/** What a history has counted, and no cancellation has returned. */
export function metricsOf({ memberID, effects, ruleCounts }: Summed): {
  member: ObjectId;
  metric: string;
  value: number;
}[] {
  return [...(effects?.metrics ?? []), ...(ruleCounts?.metrics ?? [])].map(
    ({ metric, value, returned = 0, member = memberID }) => ({ member, metric, value: value - returned }),
  );
}

/** What a history has used of limits, budgets and coupons. */
export function usesOf({ effects, ruleCounts }: Pick<ActivityHistory, 'effects' | 'ruleCounts'>) {
  return [...(effects?.counters ?? []), ...(ruleCounts?.counters ?? [])];
}

/** Whether a history is a cancellation of an earlier version, which did not store what its own rules counted. */
export function isUncountedHistory({
  type,
  ruleMatch,
  ruleCounts,
}: Pick<ActivityHistory, 'type' | 'ruleMatch' | 'ruleCounts'>): boolean {
  return type === 'Cancellation' && ruleMatch.length > 0 && ruleCounts === undefined;
}
