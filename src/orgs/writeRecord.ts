import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { GuardFailed, inTransaction, isWriteConflict, withRetries } from '../db/transaction';
import { orgResource } from '../records/users/org';
import type { Resource } from '../schema/resource';

/** What a write may rely on: no other rule set than this is in force. */
export interface RulesRead {
  /** Absent: none was published yet. */
  ruleSetVersion: number | undefined;
}

/** What is written beside a record, in one transaction with it. */
export type CompanionWrite = (session: ClientSession) => Promise<void>;

/**
 * Attempts of a definition's write in its turn, about two seconds of pauses: another process writes definitions of the
 * same org, and each of its writes lasts milliseconds. Time alone would not do as a bound, as a slow machine needs it.
 */
const attemptsInTurn = 60;

/**
 * Runs one write of a resource's record. Of a definition it counts up the org's `definitionsVersion` in the same
 * transaction, so that no process goes on with what it keeps of the old one.
 * @param write may be run again, after an attempt that left no effect
 * @param seen of a write that takes a name away from rules: the rules in force do not need it, and a publication that
 *   was checked before it reads again
 * @param along what is written beside it, after it, in the same transaction
 * @throws GuardFailed when other rules came into force; what `write` throws; ServiceError 1310 when definitions of the
 *   org keep being changed by other processes
 */
export async function writeRecord<T>(
  db: Connection,
  resource: Resource,
  org: ObjectId,
  write: (session?: ClientSession) => Promise<T>,
  { seen, along }: { seen?: RulesRead | undefined; along?: CompanionWrite | undefined } = {},
): Promise<T> {
  if (!resource.isDefinition && !seen) return along ? inTransaction(db, writeBoth(write, along)) : write();
  const attempt = () =>
    inTransaction(db, async (session) => {
      // First, so that a conflict with another process shows before anything else is written.
      if (seen) await countNameRemoved(db, org, seen, session);
      else await countDefinitionChange(db, org, session);
      return writeBoth(write, along)(session);
    });
  const options = { isWorthRetrying: isWriteConflict, attemptsMax: attemptsInTurn };
  return inTurn(db, org, () => withRetries(attempt, options));
}

function writeBoth<T>(write: (session: ClientSession) => Promise<T>, along: CompanionWrite | undefined) {
  return async (session: ClientSession): Promise<T> => {
    const written = await write(session);
    await along?.(session);
    return written;
  };
}

const lastWrites = new WeakMap<Connection, Map<string, Promise<unknown>>>();

/** Writes of one org's definitions from this process wait for each other: side by side they would only conflict. */
async function inTurn<T>(db: Connection, org: ObjectId, write: () => Promise<T>): Promise<T> {
  const last = lastWrites.get(db) ?? new Map<string, Promise<unknown>>();
  lastWrites.set(db, last);
  const key = org.toHexString();
  const before = last.get(key) ?? Promise.resolve();
  const mine = before.then(write, write);
  last.set(key, mine);
  try {
    return await mine;
  } finally {
    if (last.get(key) === mine) last.delete(key);
  }
}

async function countNameRemoved(db: Connection, org: ObjectId, { ruleSetVersion }: RulesRead, session: ClientSession) {
  const guard = { _id: org, ruleSetVersion: ruleSetVersion ?? { $exists: false } };
  const change = { $inc: { definitionsVersion: 1, namesRemoved: 1 } };
  const { matchedCount } = await collectionOf(db, orgResource).updateOne(guard, change, { session });
  if (matchedCount === 0) throw new GuardFailed('other rules came into force');
}

/** Says that definitions of an org changed; for writes that do not go through {@link writeRecord}. */
export async function countDefinitionChange(db: Connection, org: ObjectId, session?: ClientSession): Promise<void> {
  const change = { $inc: { definitionsVersion: 1 } };
  await collectionOf(db, orgResource).updateOne({ _id: org }, change, session ? { session } : {});
}
