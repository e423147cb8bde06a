import { type Static, Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { LocalDay } from '#base/calendar/localCalendar';
import { instant, objectId, record, signed, text } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';
import { countedPaths, recordsMade } from './recordCount';

/** One change of a metric of a member. */
export interface MetricEntry {
  member: ObjectId;
  metric: string;
  value: number;
  /** The day it belongs to, in the program's time zone. */
  day: LocalDay;
  /** The end of the lifetime aggregate. Only lifetime aggregates have an end, so it is not stored with the event. */
  expirationDate?: Date;
  /** When it counts in windows of hours: the activity's date. Not stored with the event: the history has it. */
  at?: Date;
  /** True when it returns a value that was counted before. Not stored with the event. */
  isReturn?: true;
}

/**
 * All changes of one member's metrics on one day. Grouping saves space, because most entries of a commit share both.
 */
const memberDay = record({
  member: objectId('Member'),
  day: Type.Unsafe<LocalDay>(instant({ description: "Day in the program's time zone, as midnight UTC" })),
  changes: Type.Array(record({ metric: text(150), value: signed() })),
});

/** Entries as a commit stores them. */
export type MemberDay = Static<typeof memberDay>;

/** An index over the records made by each commit, so that their sum can be read from index keys alone. */
export const recordsMadeIndex: Record<string, 1> = Object.fromEntries(
  ['org', ...countedPaths.map((path) => `made.${path}`)].map((key) => [key, 1]),
);

/**
 * Changes of metrics that are committed but not rolled up: one document for each commit. The roll-up adds it to the
 * daily aggregates and the record counts, and deletes it in the same transaction. Not reachable over HTTP.
 */
export const metricEventsResource = defineResource({
  name: 'MetricEvents',
  path: 'metricevents',
  isInternal: true,
  fields: { entries: Type.Array(memberDay), made: Type.Optional(recordsMade) },
  indexes: [{ keys: { org: 1, 'entries.member': 1 } }, { keys: recordsMadeIndex, isNeeded: true }],
});

/** Groups entries into the form in which they are stored. */
export function groupByMemberDay(entries: Iterable<MetricEntry>): MemberDay[] {
  const days = new Map<string, MemberDay>();
  let last: MemberDay | undefined;
  for (const { member, day, metric, value } of entries) {
    // Entries of one member are mostly consecutive, so the map is rarely needed.
    if (!last?.member.equals(member) || last.day.getTime() !== day.getTime()) {
      const key = `${member.toHexString()}|${day.getTime()}`;
      last = days.get(key) ?? { member, day, changes: [] };
      days.set(key, last);
    }
    last.changes.push({ metric, value });
  }
  return [...days.values()];
}

/** Converts stored entries back to single entries. */
export function metricEntries(days: Iterable<MemberDay>): MetricEntry[] {
  return [...days].flatMap(({ member, day, changes }) => changes.map((change) => ({ member, day, ...change })));
}
