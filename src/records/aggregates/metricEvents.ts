import { type Static, Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { LocalDay } from '../../calendar/localCalendar';
import { instant, objectId, record, signed, text } from '../../schema/atoms';
import { defineResource } from '../../schema/resource';
import { countedPaths, recordsMade } from './recordCount';

/** One change of a metric of a member. */
export interface MetricEntry {
  member: ObjectId;
  metric: string;
  value: number;
  /** The day it belongs to, in the program's time zone. */
  day: LocalDay;
  /** When the lifetime aggregate ends; other periods have no such end, so it is not stored with the event. */
  expirationDate?: Date;
  /** It gives back what was counted before; not stored with the event. */
  isReturn?: true;
}

/** The changes of one member's metrics on one day, together: member and day are the same for most of what a commit has. */
const memberDay = record({
  member: objectId('Member'),
  day: Type.Unsafe<LocalDay>(instant({ description: "Day in the program's time zone, as midnight UTC" })),
  changes: Type.Array(record({ metric: text(150), value: signed() })),
});

/** Entries as a commit stores them. */
export type MemberDay = Static<typeof memberDay>;

/** Holds the records made by commits that wait, so that their sum is read from keys alone. */
export const recordsMadeIndex: Record<string, 1> = Object.fromEntries(
  ['org', ...countedPaths.map((path) => `made.${path}`)].map((key) => [key, 1]),
);

/**
 * What was committed and is not yet rolled up: one document a commit, deleted in the transaction that folds it into
 * the daily aggregates and the counts of records. Not reachable over HTTP.
 */
export const metricEventsResource = defineResource({
  name: 'MetricEvents',
  path: 'metricevents',
  isInternal: true,
  fields: { entries: Type.Array(memberDay), made: Type.Optional(recordsMade) },
  indexes: [{ keys: { org: 1, 'entries.member': 1 } }, { keys: recordsMadeIndex }],
});

/** Puts entries together as they are stored. */
export function memberDaysOf(entries: Iterable<MetricEntry>): MemberDay[] {
  const days = new Map<string, MemberDay>();
  let last: MemberDay | undefined;
  for (const { member, day, metric, value } of entries) {
    // Those of a member mostly follow each other.
    if (!last?.member.equals(member) || last.day.getTime() !== day.getTime()) {
      const key = `${member.toHexString()}|${day.getTime()}`;
      last = days.get(key) ?? { member, day, changes: [] };
      days.set(key, last);
    }
    last.changes.push({ metric, value });
  }
  return [...days.values()];
}

/** The entries of what is stored. */
export function entriesOf(days: Iterable<MemberDay>): MetricEntry[] {
  return [...days].flatMap(({ member, day, changes }) => changes.map((change) => ({ member, day, ...change })));
}
