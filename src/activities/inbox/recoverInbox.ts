import type { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import type { Queues } from '#base/queues/queues';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { submissionResource } from '#records/activities/submission';

/** Wakes the workers when submissions of an org are queued, in case an earlier wake-up was lost. */
export async function recoverInbox(
  services: Pick<Infrastructure, 'db'> & { queues: Queues },
  { org }: { org: ObjectId },
): Promise<{ queued: number }> {
  const queued = await collectionOf(services.db, submissionResource).countDocuments({ status: 'Queued', org });
  if (queued > 0) services.queues.wakeInbox();
  return { queued };
}
