import type { ObjectId } from 'bson';
import type { LocalDay } from '#base/calendar/localCalendar';
import { type DaySpan, isInSpan } from '#base/calendar/windows';
import type { MetricEntry } from '#records/aggregates/metricEvents';

/** Committed values of metrics, from which windows are added up: by {@link spanKey}, each with its day or instant. */
export interface WindowValues {
  readonly days: ReadonlyMap<string, readonly { day: LocalDay; value: number }[]>;
  readonly timed: ReadonlyMap<string, readonly { at: Date; value: number }[]>;
  /** Dates of the latest Accruals, by hexadecimal member id. */
  readonly visits: ReadonlyMap<string, readonly Date[]>;
}

/** For batches whose rules use no windows. */
export const noWindowValues: WindowValues = { days: new Map(), timed: new Map(), visits: new Map() };

/** A metric of a member. */
export interface WindowQuestion {
  member: ObjectId;
  metric: string;
}

/** A key that is equal for the same metric of the same member. */
export function spanKey({ member, metric }: WindowQuestion): string {
  return `${member.toHexString()}|${metric}`;
}

/** An entry that is decided but not committed yet. */
type Decided = Pick<MetricEntry, 'member' | 'metric' | 'value' | 'day' | 'at'>;

/** The sum of a metric over some days: what is committed, and the entries that are decided. */
export function sumOfDays(
  { days }: WindowValues,
  question: WindowQuestion,
  span: DaySpan,
  decided: readonly Decided[],
): number {
  return sumIf([days.get(spanKey(question)) ?? [], decidedOfMember(question, decided)], ({ day }) =>
    isInSpan(span, day),
  );
}

/**
 * The sum of a metric over some hours: after `after`, until `until`, which counts too. An entry without an instant, such
 * as an expiry, counts in no window of hours.
 */
export function sumOfHours(
  { timed }: WindowValues,
  question: WindowQuestion,
  { after, until }: { after: Date; until: Date },
  decided: readonly Decided[],
): number {
  const own: readonly { at?: Date; value: number }[] = decidedOfMember(question, decided);
  return sumIf(
    [timed.get(spanKey(question)) ?? [], own],
    ({ at }) => at !== undefined && at.getTime() > after.getTime() && at.getTime() <= until.getTime(),
  );
}

function decidedOfMember({ member, metric }: WindowQuestion, decided: readonly Decided[]): Decided[] {
  return decided.filter((entry) => entry.metric === metric && entry.member.equals(member));
}

function sumIf<T extends { value: number }>(lists: readonly (readonly T[])[], counts: (each: T) => boolean): number {
  let sum = 0;
  for (const list of lists) for (const each of list) if (counts(each)) sum += each.value;
  return sum;
}
