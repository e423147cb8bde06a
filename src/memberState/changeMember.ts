import { addToLifetime } from '../aggregates/sums/addToLifetime';
import { withRoom } from '../aggregates/sums/metricRoom';
import type { Author } from '../db/records';
import { addToKeptSums } from '../records/aggregates/keptSums';
import type { MetricEntry } from '../records/aggregates/metricEvents';
import type { MemberState } from './memberState';

/**
 * Marks a member as changed by this author, and adds to its metrics; everything of it is written at the commit. That
 * there is room for them is looked at before.
 */
export function changeMember(state: MemberState, author: Author, metrics: readonly MetricEntry[], now: Date): void {
  state.author = author;
  if (metrics.length === 0) return;
  const { entries, turnovers } = withRoom(state, metrics);
  state.turnovers = turnovers;
  state.metrics.push(...entries);
  state.keptSums = addToKeptSums(state.keptSums, entries);
  state.aggregates = addToLifetime(state.aggregates, entries, now, state.doc._id);
}
