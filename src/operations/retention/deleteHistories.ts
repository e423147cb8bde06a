import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import type { Author } from '#base/db/records';
import { inTransaction, withRetries } from '#base/db/transaction';
import { orgResource } from '#records/users/org';
import { deleteCounted } from './deleteCounted';
import { areHistoriesCounted, type OldHistory, oldHistories, unneededHistories } from './oldHistories';

/**
 * Deletes the histories of an org that were posted and dated before an instant, and that nothing needs any more. Points
 * and their journal stay. A run that was killed is continued by the next.
 * @returns how many were deleted
 */
export async function deleteHistories(db: Connection, author: Author, before: Date, now: Date): Promise<number> {
  const { org } = author;
  if (!(await areHistoriesCounted(db, org))) return 0;
  // It is noted first, so that nobody misses what is deleted.
  await collectionOf(db, orgResource).updateOne({ _id: org }, { $max: { historiesDeletedBefore: before } });
  let deleted = 0;
  for await (const page of oldHistories(db, org, before)) deleted += await deleteUnneeded(db, author, page, now);
  return deleted;
}

function deleteUnneeded(db: Connection, author: Author, page: readonly OldHistory[], now: Date): Promise<number> {
  const attempt = async (session: ClientSession) => {
    const ids = await unneededHistories(db, { session }, author.org, page);
    return deleteCounted(db, session, author, { path: 'activityhistories', ids, now });
  };
  return withRetries(() => inTransaction(db, attempt), {});
}
