import type { ClientSession, Connection } from 'mongoose';
import { collectionOf, updateAll } from '#base/db/collections';
import { type Author, newStamps, updateStamps } from '#base/db/records';
import { GuardFailed, inTransaction, isTooSlow } from '#base/db/transaction';
import { readWaiting } from '#records/aggregates/countAll';
import {
  type CountedPath,
  countedPaths,
  type RecordsMade,
  recordCountId,
  recordCountResource,
} from '#records/aggregates/recordCount';
import { type DrainedPage, emptyDrain } from './drainPages';

/** The most records that a count begins with. With a warm cache they are counted in about a second. */
const startMax = 5_000_000;

/**
 * Begins one missing count of an org, in one transaction. It counts the records, less those of commits that wait for
 * the roll-up and are added by it later. No commit of the org is rolled up before its counts have begun, so each record
 * counts exactly once. The count is stored as unknown (null) when there are more than `max` records, or when counting
 * takes more than {@link countMaxMs}.
 */
export async function startCount(db: Connection, author: Author, now: Date, max = startMax): Promise<DrainedPage> {
  try {
    return await begin(db, author, now, max);
  } catch (error) {
    // On a slow machine, an unknown count is better than aggregates that wait for a count.
    if (isTooSlow(error)) return begin(db, author, now, 0);
    throw error;
  }
}

/** The most milliseconds for counting one collection: half of what a transaction may last. */
const countMaxMs = 4000;

function begin(db: Connection, author: Author, now: Date, max: number): Promise<DrainedPage> {
  const { org } = author;
  return inTransaction(db, async (session) => {
    const kept = await collectionOf(db, recordCountResource)
      .find({ _id: { $in: countedPaths.map((path) => recordCountId(org, path)) }, org }, { session })
      .toArray();
    const path = countedPaths.find((each) => !kept.some((count) => count.path === each));
    if (!path) return emptyDrain;
    const all = await db.collection(path).countDocuments({ org }, { session, limit: max + 1, maxTimeMS: countMaxMs });
    const count = all > max ? null : all - (await readWaiting(db, { session }, org, path));
    const stamps = newStamps(author, now, recordCountId(org, path));
    await collectionOf(db, recordCountResource).insertOne({ ...stamps, path, count }, { session });
    return { size: 1 };
  });
}

/**
 * Adds the records that commits created to the counts of the org, in the transaction that deletes their metric events.
 * @throws GuardFailed when a count is missing
 */
export async function addToCounts(
  db: Connection,
  session: ClientSession,
  author: Author,
  now: Date,
  commits: readonly (RecordsMade | undefined)[],
): Promise<void> {
  const updates = countedPaths.map((path) => ({
    q: { _id: recordCountId(author.org, path), org: author.org },
    // The sum of null and a number is null, so an unknown count stays unknown.
    u: [{ $set: { ...updateStamps(author, now), count: { $add: ['$count', createdRecords(commits, path)] } } }],
  }));
  const found = await updateAll(db, session, recordCountResource.path, updates);
  if (found !== updates.length) throw new GuardFailed('A count of records is not begun yet');
}

function createdRecords(commits: readonly (RecordsMade | undefined)[], path: CountedPath): number {
  return commits.reduce((sum, made) => sum + (made?.[path] ?? 0), 0);
}
