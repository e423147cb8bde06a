import { collectionOf } from '#base/db/collections';
import { submissionResource } from '#records/activities/submission';
import type { Migration } from './migration';

/**
 * Gives a partition to queued submissions of early versions, which called it a lane. Without it they would never be
 * drained.
 */
export const moveLanes: Migration = {
  number: 1,
  name: 'lanes of queued submissions become partitions',
  async up(db) {
    // Without a partition, so that the index of queued submissions finds them among all that are stored.
    const before = { status: 'Queued', partition: { $exists: false }, lane: { $exists: true } } as const;
    await collectionOf(db, submissionResource).updateMany(before, { $rename: { lane: 'partition' } });
  },
};
