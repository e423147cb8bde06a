import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import type { Clock } from '../../common/clock';
import { collectionOf } from '../../db/collections';
import { type Author, derivedId, newStamps, updateStamps } from '../../db/records';
import { GuardFailed, inTransaction } from '../../db/transaction';
import type { RuleFault } from '../../rules/source/ruleSource';
import { faultsMax, type RuleLoad, ruleLoadResource } from './ruleLoad';

/** What a load read: the hash of the files and what is wrong with them. */
export interface SeenFiles {
  hash: string;
  errors: readonly RuleFault[];
}

/** Where a load is recorded. */
export interface LoadPlace {
  db: Connection;
  clock: Clock;
  author: Author;
  place: string;
}

/** The last load of an org's files from this place. */
export async function lastLoad(db: Connection, org: ObjectId, place: string): Promise<RuleLoad | undefined> {
  return (await collectionOf(db, ruleLoadResource).findOne({ _id: loadId(org, place) })) ?? undefined;
}

/** The faults of the load of an org's files that was recorded last, from whatever place. */
export async function lastFaults(db: Connection, org: ObjectId): Promise<RuleFault[]> {
  const [load] = await collectionOf(db, ruleLoadResource).find({ org }).sort({ loadedAt: -1 }).limit(1).toArray();
  return load?.faults ?? [];
}

/**
 * Records a load that published nothing, unless it saw what the last one from here saw.
 * @throws GuardFailed or a duplicate key when another load from here came first
 */
export async function recordLoad(at: LoadPlace, before: RuleLoad | undefined, seen: SeenFiles): Promise<void> {
  const known = before ? sameAs(before, seen) : false;
  if (!known) await inTransaction(at.db, (session) => writeLoad(at, session, before, seen));
}

/**
 * Writes a load within a transaction; it changes the guard that makes overlapping loads follow each other.
 * @throws GuardFailed or a duplicate key when another load from here came first
 */
export async function writeLoad(
  { db, clock, author, place }: LoadPlace,
  session: ClientSession,
  before: RuleLoad | undefined,
  seen: SeenFiles,
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

function sameAs(before: RuleLoad, seen: SeenFiles): boolean {
  const faults = seen.errors.slice(0, faultsMax);
  return before.hash === seen.hash && JSON.stringify(before.faults) === JSON.stringify(faults);
}
