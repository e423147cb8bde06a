import type { Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import { submissionResource } from '../../records/activities/submission';

/**
 * Gives a partition to the submissions that version 0.1 has queued: it called the partition a lane. Without it they would
 * never be drained. A worker does it before its first page, and again for what an API process of that version accepts
 * while both versions run.
 */
export async function moveLanes(db: Connection): Promise<void> {
  // Without a partition, so that the index of queued submissions finds them among all that are stored.
  const before = { status: 'Queued', partition: { $exists: false }, lane: { $exists: true } } as const;
  await collectionOf(db, submissionResource).updateMany(before, { $rename: { lane: 'partition' } });
}
