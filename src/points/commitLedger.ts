import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { type MetricEntry, metricEventsResource } from '../aggregates/metricEvents';
import { type Author, newStamps, updateStamps } from '../db/records';
import { collectionOf } from '../db/resource';
import { GuardFailed } from '../db/transaction';
import { type Member, memberResource } from '../members/member';
import { accrualItemResource } from './accrualItem';
import { journalResource } from './journal';
import type { JournalEntry } from './journalEntry';
import type { Lot } from './lot';

/** The fields of a member that a ledger change rewrites. */
export type MemberLedgerFields = Pick<Member, 'purses' | 'aggregates' | 'seq' | 'processedAccruals'>;

/** Everything that one commit changes in a member's ledger. */
export interface LedgerChange {
  memberId: ObjectId;
  /** The version that was read; the write fails when another commit came between. */
  version: number;
  set: MemberLedgerFields;
  nextDue: Date | undefined;
  inserted: readonly Lot[];
  updated: readonly Lot[];
  entries: readonly JournalEntry[];
  metrics: readonly MetricEntry[];
}

/** Whom the rows of a change are stamped with. */
export interface StampedChange extends LedgerChange {
  author: Author;
}

/**
 * Writes ledger changes of members of one org inside a transaction: the guarded members first, so that a concurrent
 * commit is met before anything else is written, then lots, journal and metric events.
 * @throws GuardFailed when a member changed since it was read
 */
export async function commitLedger(
  db: Connection,
  session: ClientSession,
  changes: readonly StampedChange[],
  now: Date,
): Promise<void> {
  await updateMembers(db, session, changes, now);
  await insertRows(
    db,
    session,
    accrualItemResource.path,
    changes.flatMap((change) => change.inserted.map((lot) => ({ ...newStamps(change.author, now), ...lot }))),
  );
  await updateLots(db, session, changes, now);
  await insertRows(
    db,
    session,
    journalResource.path,
    changes.flatMap((change) => change.entries.map((entry) => ({ ...newStamps(change.author, now), ...entry }))),
  );
  await insertMetrics(db, session, changes, now);
}

async function updateMembers(db: Connection, session: ClientSession, changes: readonly StampedChange[], now: Date) {
  if (changes.length === 0) return;
  const writes = changes.map(({ memberId, version, set, nextDue, author }) => ({
    updateOne: {
      filter: { _id: memberId, org: author.org, version },
      update: {
        $set: { ...set, ...updateStamps(author, now), ...(nextDue ? { nextDue } : {}) },
        $inc: { version: 1 },
        ...(nextDue ? {} : { $unset: { nextDue: '' as const } }),
      },
    },
  }));
  const { matchedCount } = await collectionOf(db, memberResource).bulkWrite(writes, { session, ordered: true });
  if (matchedCount !== changes.length) throw new GuardFailed('A member changed meanwhile');
}

async function updateLots(db: Connection, session: ClientSession, changes: readonly StampedChange[], now: Date) {
  const writes = changes.flatMap(({ updated, author }) =>
    updated.map(({ _id, ...lot }) => ({
      updateOne: { filter: { _id, org: author.org }, update: { $set: { ...lot, ...updateStamps(author, now) } } },
    })),
  );
  if (writes.length === 0) return;
  const { matchedCount } = await collectionOf(db, accrualItemResource).bulkWrite(writes, { session, ordered: false });
  if (matchedCount !== writes.length) throw new GuardFailed('An accrual item is gone');
}

async function insertMetrics(db: Connection, session: ClientSession, changes: readonly StampedChange[], now: Date) {
  const [first] = changes;
  const entries = changes.flatMap((change) => [...change.metrics]);
  if (!first || entries.length === 0) return;
  await insertRows(db, session, metricEventsResource.path, [{ ...newStamps(first.author, now), entries }]);
}

/** Inserts documents of one collection inside a transaction; none is no round trip. */
export async function insertRows(
  db: Connection,
  session: ClientSession,
  collection: string,
  rows: readonly (Record<string, unknown> & { _id: ObjectId })[],
): Promise<void> {
  if (rows.length > 0) await db.collection(collection).insertMany([...rows], { session, ordered: true });
}
