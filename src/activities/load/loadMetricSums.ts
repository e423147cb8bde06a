import type { Connection } from 'mongoose';
import { type AggregateRequest, loadAggregateValues } from '../../aggregates/loadAggregateValues';
import { type MetricSums, sumKey } from '../../aggregates/sums/metricSums';
import { localDay } from '../../calendar/localDay';
import type { BatchScope } from '../state/batchScope';

/**
 * The sums that rules of a batch may ask for, of each activity's member in the periods of its date. Lifetime sums stand
 * in the member. Reads nothing when no rule asks.
 * @throws GuardFailed when the members were changed so often meanwhile that reading again is worth it
 */
export async function loadMetricSums(db: Connection, scope: BatchScope): Promise<MetricSums> {
  const parts = new Map<string, { of: string; request: AggregateRequest }>();
  const versions = new Map<string, number>();
  for (const work of scope.works) {
    const [member, rules] = [scope.memberOf(work), scope.rulesOf(work)];
    if (!member || !rules || rules.needs.aggregates.length === 0) continue;
    const program = scope.catalog.programOf(member.program);
    if (!program) continue;
    const day = localDay(work.activity.date, program.timezone);
    for (const { metric, period } of rules.needs.aggregates) {
      if (period === 'lifetime') continue;
      const of = sumKey({ member: member._id, metric, period, day });
      // Aggregates follow a merge a while later; until then those of the merged members are added.
      for (const id of [member._id, ...member.mergeIds]) {
        const request = { member: id, metric, period, day };
        parts.set(sumKey(request), { of, request });
      }
      versions.set(member._id.toHexString(), member.version);
    }
  }
  const asked = [...parts.values()];
  const requests = asked.map(({ request }) => request);
  const values = await loadAggregateValues(db, scope.org, requests, versions);
  const sums = new Map<string, number>();
  for (const [index, { of }] of asked.entries()) sums.set(of, (sums.get(of) ?? 0) + (values[index] ?? 0));
  return sums;
}
