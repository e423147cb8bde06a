import { hoursBefore, isHours, type TimeWindow, windowDays } from '#base/calendar/windows';
import type { MetricSum } from '#engine/rules/language/factParams';
import { addToLifetime, builtInMetrics, lifetimeValue } from '#engine/sums/lifetime';
import { currentSum } from '#engine/sums/metricSums';
import { sumOfDays, sumOfHours } from '#engine/sums/windowSums';
import { shownTiers } from '#engine/tiers/memberTiers';
import type { MetricEntry } from '#records/aggregates/metricEvents';
import type { ActivityChanges } from './activityChanges';

/**
 * A metric of the member in a period of the activity's date.
 * @param counted `withOwn` includes what the activity has added so far, `before` does not
 */
export function sumMetric(
  changes: ActivityChanges,
  { metric, period }: MetricSum,
  counted: 'before' | 'withOwn',
): number {
  const { state, context } = changes.input;
  const member = state.doc._id;
  const own = counted === 'withOwn' ? ownEntries(changes) : [];
  if (period === 'lifetime') {
    const added = own.filter((entry) => entry.metric === metric);
    return lifetimeValue(addToLifetime(state.aggregates, added, context.now, member), metric, context.now);
  }
  const decided = [...state.metrics, ...own];
  if (typeof period !== 'string') return sumOfWindow(changes, { metric, period }, decided);
  return currentSum(context.sums, { member, metric, period, day: changes.day() }, decided);
}

/** What the activity itself has added so far. Its built-in metrics are stored at its end, but count from the start. */
function ownEntries(changes: ActivityChanges): MetricEntry[] {
  const { state, activity } = changes.input;
  const at = { member: state.doc._id, day: changes.day(), at: activity.date };
  return [...changes.metrics, ...builtInMetrics(activity).map((each) => ({ ...each, ...at }))];
}

function sumOfWindow(
  changes: ActivityChanges,
  { metric, period }: { metric: string; period: TimeWindow },
  decided: readonly MetricEntry[],
): number {
  const { state, activity, context } = changes.input;
  const question = { member: state.doc._id, metric };
  if (isHours(period)) {
    const hours = { after: hoursBefore(period.last, activity.date), until: activity.date };
    return sumOfHours(context.windows, question, hours, decided);
  }
  const { date } = activity;
  const { enrolledAt } = state.doc;
  const tierSince = (policy: string) =>
    shownTiers(changes.tiers, state.tierPolicies, state.doc.tiers).find(({ name }) => name === policy)?.since;
  const span = windowDays(period, { date, timezone: state.program.timezone, enrolledAt, tierSince });
  return span ? sumOfDays(context.windows, question, span, decided) : 0;
}

/**
 * The date of the member's latest Accrual at or before the activity's date. Earlier activities of the batch count, and
 * those that the batch cancelled do not.
 */
export function findLastVisit({ input: { state, activity, context } }: ActivityChanges): Date | undefined {
  const dates = [...(context.windows.visits.get(state.doc._id.toHexString()) ?? [])].map((date) => date.getTime());
  for (const { metric, value, at, member } of state.metrics) {
    if (metric !== 'visits' || !at || !member.equals(state.doc._id)) continue;
    if (value > 0) dates.push(at.getTime());
    else if (dates.includes(at.getTime())) dates.splice(dates.indexOf(at.getTime()), 1);
  }
  const latest = Math.max(...dates.filter((ms) => ms <= activity.date.getTime()));
  return Number.isFinite(latest) ? new Date(latest) : undefined;
}
