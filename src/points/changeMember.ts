import { addToLifetime } from '../aggregates/addToLifetime';
import { addToKeptSums } from '../aggregates/keptSums';
import type { MetricEntry } from '../aggregates/metricEvents';
import type { Author } from '../db/records';
import type { MemberState } from './memberState';

/** Marks a member as changed by this author, and adds to its metrics; everything of it is written at the commit. */
export function changeMember(state: MemberState, author: Author, metrics: readonly MetricEntry[], now: Date): void {
  state.author = author;
  if (metrics.length === 0) return;
  state.metrics.push(...metrics);
  state.keptSums = addToKeptSums(state.keptSums, metrics);
  state.aggregates = addToLifetime(state.aggregates, metrics, now, state.doc._id);
}
