import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { GuardFailed, type InCommit, inTransaction, isWriteConflict, withRetries } from '#base/db/transaction';
import type { Resource } from '#base/schema/resource';
import { orgResource } from '#records/users/org';
import { serializedPerOrg } from './serializedPerOrg';

/** What a write relies on: this rule set is still in force when the write commits. */
export interface RulesRead {
  /** Absent when none was published yet. */
  ruleSetVersion: number | undefined;
  /** Changes when rules are scheduled. */
  lastRuleSetVersion?: number | undefined;
}

/** A write beside a record, in the same transaction. */
export type CompanionWrite = (session: ClientSession) => Promise<void>;

/** Two writes beside a record as one, the first before the second. */
export function joinWrites(
  first: CompanionWrite | undefined,
  second: CompanionWrite | undefined,
): CompanionWrite | undefined {
  if (!first || !second) return first ?? second;
  return async (session) => {
    await first(session);
    await second(session);
  };
}

/** What {@link writeRecord} does beside the write. */
interface Beside<T> {
  seen?: RulesRead | undefined;
  companion?: CompanionWrite | undefined;
  audited?: InCommit<T> | undefined;
}

/**
 * The attempts to write a definition, with about two seconds of pauses. They fail while other processes write
 * definitions of the same org, which takes milliseconds for each. A limit of time alone would not do: a slow machine
 * needs more.
 */
const attemptsInTurn = 60;

/**
 * Runs one write of a resource's record. For a definition it also increments the org's `definitionsVersion` in the same
 * transaction, so that no process continues with a cached older definition.
 * @param write may run again, after an attempt that left no effect
 * @param seen for a write that removes a name that rules can use: the rule set that was in force when a check found
 *   that no rule needs the name. A publication that was checked before this write has to check again.
 * @param companion is written after `write`, in the same transaction
 * @param audited is called with what was written, at the end of the transaction, to append to the audit log
 * @throws GuardFailed when other rules came into force; what `write` throws; ServiceError 1310 when other processes
 *   keep changing definitions of the org
 */
export async function writeRecord<T>(
  db: Connection,
  resource: Resource,
  org: ObjectId,
  write: (session?: ClientSession) => Promise<T>,
  { seen, companion, audited }: Beside<T> = {},
): Promise<T> {
  const { isDefinition } = resource;
  if (!isDefinition && !seen && !audited) return companion ? inTransaction(db, writeBoth(write, companion)) : write();
  const attempt = () =>
    inTransaction(db, async (session) => {
      // This comes first, so that a conflict with another process shows before anything else is written.
      if (seen) await countNameRemoved(db, org, seen, session);
      else if (isDefinition) await countDefinitionChange(db, org, session);
      const written = await writeBoth(write, companion)(session);
      await audited?.(written, session);
      return written;
    });
  const options = { isWorthRetrying: isWriteConflict, attemptsMax: attemptsInTurn };
  return serializedPerOrg(db, org, () => withRetries(attempt, options));
}

function writeBoth<T>(write: (session: ClientSession) => Promise<T>, companion: CompanionWrite | undefined) {
  return async (session: ClientSession): Promise<T> => {
    const written = await write(session);
    await companion?.(session);
    return written;
  };
}

async function countNameRemoved(db: Connection, org: ObjectId, seen: RulesRead, session: ClientSession) {
  const isAbsent = { $exists: false };
  const { ruleSetVersion = isAbsent, lastRuleSetVersion = isAbsent } = seen;
  const guard = { _id: org, ruleSetVersion, lastRuleSetVersion };
  const change = { $inc: { definitionsVersion: 1, namesRemoved: 1 } };
  const { matchedCount } = await collectionOf(db, orgResource).updateOne(guard, change, { session });
  if (matchedCount === 0) throw new GuardFailed('other rules came into force');
}

/** Counts a change of definitions of an org, for writes that do not use {@link writeRecord}. */
export async function countDefinitionChange(db: Connection, org: ObjectId, session?: ClientSession): Promise<void> {
  const change = { $inc: { definitionsVersion: 1 } };
  await collectionOf(db, orgResource).updateOne({ _id: org }, change, session ? { session } : {});
}
