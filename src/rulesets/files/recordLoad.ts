import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import type { Clock } from '../../common/clock';
import { collectionOf } from '../../db/collections';
import { type Author, derivedId, newStamps, updateStamps } from '../../db/records';
import { GuardFailed, inTransaction } from '../../db/transaction';
import type { RuleFault } from '../../rules/source/ruleSource';
import { faultsMax, type RuleLoad, ruleLoadResource } from './ruleLoad';

/** The files that a load read: their hash and their faults. */
export interface ReadFiles {
  hash: string;
  errors: readonly RuleFault[];
}

/** Where a load is recorded, and by whom. */
export interface LoadRecorder {
  db: Connection;
  clock: Clock;
  author: Author;
  place: string;
}

/** The last recorded load of an org's files from this place (host and folder). */
export async function lastLoad(db: Connection, org: ObjectId, place: string): Promise<RuleLoad | undefined> {
  return (await collectionOf(db, ruleLoadResource).findOne({ _id: loadId(org, place) })) ?? undefined;
}

/** The faults of the last recorded load of an org's files, from any place. */
export async function lastFaults(db: Connection, org: ObjectId): Promise<RuleFault[]> {
  const [load] = await collectionOf(db, ruleLoadResource).find({ org }).sort({ loadedAt: -1 }).limit(1).toArray();
  return load?.faults ?? [];
}

/**
 * Records a load that published nothing. Writes nothing when the last load from this place read the same files and
 * found the same faults.
 * @throws GuardFailed or a duplicate key error when another load from this place was recorded first
 */
export async function recordLoad(at: LoadRecorder, before: RuleLoad | undefined, seen: ReadFiles): Promise<void> {
  const known = before ? sameAs(before, seen) : false;
  if (!known) await inTransaction(at.db, (session) => writeLoad(at, session, before, seen));
}

/**
 * Writes a load within a transaction. It increments the guard `seq`, so that of two overlapping loads one fails and
 * retries.
 * @throws GuardFailed or a duplicate key error when another load from this place was recorded first
 */
export async function writeLoad(
  { db, clock, author, place }: LoadRecorder,
  session: ClientSession,
  before: RuleLoad | undefined,
  seen: ReadFiles,
): Promise<void> {
  const now = clock.now();
  const loads = collectionOf(db, ruleLoadResource);
  const values = { hash: seen.hash, faults: seen.errors.slice(0, faultsMax), loadedAt: now };
  if (!before) {
    const stamps = newStamps(author, now, loadId(author.org, place));
    await loads.insertOne({ ...stamps, place, seq: 1, ...values }, { session });
    return;
  }
  const { _id, seq } = before;
  const update = { $set: { ...values, ...updateStamps(author, now) }, $inc: { seq: 1 } };
  const { matchedCount } = await loads.updateOne({ _id, seq }, update, { session });
  if (matchedCount === 0) throw new GuardFailed('another load of these rules came first');
}

function loadId(org: ObjectId, place: string): ObjectId {
  return derivedId('ruleLoad', org, place);
}

function sameAs(before: RuleLoad, seen: ReadFiles): boolean {
  const faults = seen.errors.slice(0, faultsMax);
  return before.hash === seen.hash && JSON.stringify(before.faults) === JSON.stringify(faults);
}
