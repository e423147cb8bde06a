import { isDeepStrictEqual } from 'node:util';
import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import type { Clock } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { type Author, derivedId, newStamps, updateStamps } from '#base/db/records';
import { GuardFailed, inTransaction } from '#base/db/transaction';
import type { RuleFault } from '#engine/rules/source/ruleSource';
import { type Org, orgResource, unpublishedMax } from '#records/users/org';
import { faultsMax, type LoadedProgram, type RuleLoad, ruleLoadResource } from './ruleLoad';

/** What a load read. */
export interface ReadFiles {
  programs: readonly LoadedProgram[];
  errors: readonly RuleFault[];
  /** Folders with rule files of which no rule is in force: codes of programs first, then folders without a program. */
  unpublished: readonly string[];
}

/** The fields of an org that a publication relies on, and those that it writes. */
export type PublicationGuards = {
  [F in 'ruleSetVersion' | 'namesRemoved' | 'unpublishedFolders' | 'scheduledRules' | 'lastRuleSetVersion']?:
    | Org[F]
    | undefined;
};

/** What a load relies on: the org's guards and the last load from here, both read before the files. */
export interface BeforeLoad {
  before: PublicationGuards;
  load: RuleLoad | undefined;
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
  return (await collectionOf(db, ruleLoadResource).findOne({ _id: loadId(org, place), org })) ?? undefined;
}

/** The last recorded load of an org's files, from any place. */
export async function lastLoadAnywhere(db: Connection, org: ObjectId): Promise<RuleLoad | undefined> {
  const [load] = await collectionOf(db, ruleLoadResource).find({ org }).sort({ loadedAt: -1 }).limit(1).toArray();
  return load;
}

/** The faults of the last recorded load of an org's files, from any place. */
export async function lastFaults(db: Connection, org: ObjectId): Promise<RuleFault[]> {
  return (await lastLoadAnywhere(db, org))?.faults ?? [];
}

/** The {@link ReadFiles.unpublished} folders that are stored in the org. */
export function firstUnpublished({ unpublished }: ReadFiles): string[] {
  return unpublished.slice(0, unpublishedMax);
}

/**
 * Records a load that published nothing. Writes nothing when the last load from this place read the same files and
 * found the same faults.
 * @throws GuardFailed or a duplicate key error when another load was recorded or published first
 */
export async function recordLoad(at: LoadRecorder, load: BeforeLoad & { seen: ReadFiles }): Promise<void> {
  const { before, seen } = load;
  const isEmpty = seen.programs.length + seen.errors.length === 0;
  const isKnown = load.load ? sameAs(load.load, seen) : isEmpty;
  const isNoted = isDeepStrictEqual(before.unpublishedFolders ?? [], firstUnpublished(seen));
  if (isKnown && isNoted) return;
  await inTransaction(at.db, async (session) => {
    if (!isNoted) await noteUnpublished(at, session, load);
    if (!isKnown) await writeLoad(at, session, load);
  });
}

async function noteUnpublished(
  { db, author }: LoadRecorder,
  session: ClientSession,
  { before, seen }: { before: BeforeLoad['before']; seen: ReadFiles },
): Promise<void> {
  const guard = { _id: author.org, ruleSetVersion: before.ruleSetVersion ?? { $exists: false } };
  const update = { $set: { unpublishedFolders: firstUnpublished(seen) } };
  const { matchedCount } = await collectionOf(db, orgResource).updateOne(guard, update, { session });
  if (matchedCount === 0) throw new GuardFailed('another rule set was published first');
}

/**
 * Writes a load within a transaction. It increments the guard `seq`, so that of two overlapping loads one fails and
 * retries.
 * @throws GuardFailed or a duplicate key error when another load from this place was recorded first
 */
export async function writeLoad(
  { db, clock, author, place }: LoadRecorder,
  session: ClientSession,
  { load: before, seen }: { load: RuleLoad | undefined; seen: ReadFiles },
): Promise<void> {
  const now = clock.now();
  const loads = collectionOf(db, ruleLoadResource);
  const values = { programs: [...seen.programs], faults: seen.errors.slice(0, faultsMax), loadedAt: now };
  if (!before) {
    const stamps = newStamps(author, now, loadId(author.org, place));
    await loads.insertOne({ ...stamps, place, seq: 1, ...values }, { session });
    return;
  }
  const { _id, org, seq } = before;
  const update = { $set: { ...values, ...updateStamps(author, now) }, $inc: { seq: 1 } };
  const { matchedCount } = await loads.updateOne({ _id, org, seq }, update, { session });
  if (matchedCount === 0) throw new GuardFailed('another load of these rules came first');
}

function loadId(org: ObjectId, place: string): ObjectId {
  return derivedId('ruleLoad', org, place);
}

function sameAs({ programs, faults }: RuleLoad, seen: ReadFiles): boolean {
  return isDeepStrictEqual([programs, faults], [seen.programs, seen.errors.slice(0, faultsMax)]);
}
