import { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { insertAll, updateAll } from '#base/db/collections';
import { type Author, newStamps, stamped, updateStamps } from '#base/db/records';
import { GuardFailed } from '#base/db/transaction';
import type { TierChange } from '#engine/tiers/memberTiers';
import { tierHistoryResource } from '#members/tiers/tierHistory';
import { ledgerEvents } from '#platform/events/ledgerEvents';
import { writeEvents } from '#platform/events/writeEvents';
import { type Submission, submissionResource } from '#records/activities/submission';
import { groupByMemberDay, type MetricEntry, metricEventsResource } from '#records/aggregates/metricEvents';
import { countedPaths, type RecordsMade } from '#records/aggregates/recordCount';
import type { StoredEvent } from '#records/events/event';
import { type Member, memberResource } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';
import type { PostedEntry } from '#records/points/journalEntry';
import type { Lot } from '#records/points/lot';

/** The fields of a member that a ledger change replaces. */
export type MemberLedgerFields = Pick<Member, 'purses' | 'aggregates' | 'seq' | 'processedAccruals'> &
  Partial<
    Pick<
      Member,
      'tiers' | 'ladders' | 'keptSums' | 'turnovers' | 'segments' | 'segmentDates' | 'ext' | 'referrals' | 'referredBy'
    >
  >;

/** Everything that one commit changes in one member's ledger. */
interface LedgerChange {
  memberId: ObjectId;
  program: ObjectId;
  /** The version that was read. The write fails when another commit changed the member since. */
  version: number;
  set: MemberLedgerFields;
  /** When timers must next settle the member or end its aggregates; undefined when never. */
  due: Record<'nextDue' | 'aggregatesEndAt', Date | undefined>;
  inserted: readonly Lot[];
  updated: readonly Lot[];
  entries: readonly PostedEntry[];
  metrics: readonly MetricEntry[];
  tierChanges?: readonly TierChange[];
  /** Occasions that the change makes, queued for processing. */
  occasions?: readonly Submission[];
}

/** A change with the author for the stamps of its records. */
export interface StampedChange extends LedgerChange {
  author: Author;
}

/**
 * What the commit of a batch writes in addition to ledger changes: its number of histories, for the record counts, and
 * all its events, including those of the ledger.
 */
interface RestOfCommit {
  author: Author;
  activityhistories: number;
  events: readonly StoredEvent[];
}

/**
 * Writes the ledger changes of members of one org inside a transaction. It writes the guarded members first, so that a
 * conflict with another commit shows before anything else is written. Then it writes lots, journal, metric events, tier
 * history, occasions and events.
 * @throws GuardFailed when another commit changed a member since it was read
 */
export async function commitLedger(
  db: Connection,
  session: ClientSession,
  changes: readonly StampedChange[],
  now: Date,
  besides?: RestOfCommit,
): Promise<void> {
  await updateMembers(db, session, changes, now);
  await storeLedger(db, session, changes, now, besides);
}

/** Writes all that {@link commitLedger} writes except the members, which are stored with these changes already. */
export async function storeLedger(
  db: Connection,
  session: ClientSession,
  changes: readonly StampedChange[],
  now: Date,
  besides?: RestOfCommit,
): Promise<void> {
  const lots = changes.flatMap(({ author, inserted }) => inserted.map((lot) => stamped(lot, author, now)));
  await insertAll(db, session, accrualItemResource.path, lots);
  await updateLots(db, session, changes, now);
  const entries = changes.flatMap(({ author, entries }) =>
    entries.map((entry) => stamped({ _id: new ObjectId(), ...entry }, author, now)),
  );
  await insertAll(db, session, journalResource.path, entries);
  const author = changes[0]?.author ?? besides?.author;
  const made = {
    accrualitems: lots.length,
    journal: entries.length,
    activityhistories: besides?.activityhistories ?? 0,
  };
  const metrics = changes.flatMap((change) => change.metrics);
  if (author) await insertMetricEvents(db, session, author, now, { entries: metrics, made });
  const tierChanges = changes.flatMap(({ author, memberId: member, tierChanges = [] }) =>
    tierChanges.map((change) => ({ ...newStamps(author, now), member, at: now, ...change })),
  );
  await insertAll(db, session, tierHistoryResource.path, tierChanges);
  const occasions = changes.flatMap((change) => change.occasions ?? []);
  await insertAll(db, session, submissionResource.path, occasions);
  const events = besides?.events ?? changes.flatMap((change) => ledgerEvents(change, now));
  if (author) await writeEvents(db, session, author, now, events);
}

async function updateMembers(db: Connection, session: ClientSession, changes: readonly StampedChange[], now: Date) {
  const updates = changes.map(({ memberId, version, set, due, author }) => ({
    q: { _id: memberId, org: author.org, version },
    u: { $set: Object.assign(updateStamps(author, now), set, due), $unset: unsetDues(due), $inc: { version: 1 } },
  }));
  const found = await updateAll(db, session, memberResource.path, updates);
  if (found !== updates.length) throw new GuardFailed('A member changed meanwhile');
}

/** The fields to unset: those that are undefined, because `$set` ignores them. */
function unsetDues({ nextDue, aggregatesEndAt }: LedgerChange['due']): Record<string, unknown> {
  return { nextDue: nextDue ? undefined : '', aggregatesEndAt: aggregatesEndAt ? undefined : '' };
}

async function updateLots(db: Connection, session: ClientSession, changes: readonly StampedChange[], now: Date) {
  const updates = changes.flatMap(({ updated, author }) =>
    updated.map(({ _id, ...lot }) => ({
      q: { _id, org: author.org },
      u: { $set: { ...lot, ...updateStamps(author, now) } },
    })),
  );
  const found = await updateAll(db, session, accrualItemResource.path, updates);
  if (found !== updates.length) throw new GuardFailed('An accrual item is gone');
}

/** What a commit stores for the roll-up. */
interface Committed {
  entries: readonly MetricEntry[];
  made: RecordsMade;
}

/** Stores the metric event of a commit in its transaction. A commit without changes stores none. */
export async function insertMetricEvents(
  db: Connection,
  session: ClientSession,
  author: Author,
  now: Date,
  { entries, made }: Committed,
): Promise<void> {
  if (entries.length === 0 && countedPaths.every((path) => made[path] === 0)) return;
  const event = { ...newStamps(author, now), entries: groupByMemberDay(entries), made };
  await insertAll(db, session, metricEventsResource.path, [event]);
}
