import type { Connection } from 'mongoose';
import { type AggregateRequest, loadAggregateValues } from '../aggregates/loadAggregates';
import { type MetricSums, sumKey } from '../aggregates/metricSums';
import type { BatchScope } from './batchScope';
import { memberFinder } from './memberFinder';

/**
 * The sums that rules of a batch may ask for, of each activity's member in the periods of its date. Lifetime sums stand
 * in the member. Reads nothing when no rule asks.
 * @throws GuardFailed when the members were changed so often meanwhile that reading again is worth it
 */
export async function loadMetricSums(db: Connection, scope: BatchScope): Promise<MetricSums> {
  const requests = new Map<string, AggregateRequest>();
  const versions = new Map<string, number>();
  const find = memberFinder(scope);
  for (const work of scope.works) {
    const { type, date } = work.activity;
    const member = find(work);
    if (!member || !scope.ruleSet) continue;
    for (const { metric, period } of scope.ruleSet.forActivity(member.program, type).needs.aggregates) {
      if (period === 'lifetime') continue;
      const request = { member: member._id, metric, period, date };
      requests.set(sumKey(request), request);
      versions.set(member._id.toHexString(), member.version);
    }
  }
  const values = await loadAggregateValues(db, scope.org, [...requests.values()], versions);
  return new Map([...requests.keys()].map((key, index) => [key, values[index] ?? 0]));
}
