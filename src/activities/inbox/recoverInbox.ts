import type { ObjectId } from 'bson';
import type { Backing } from '../../backing/backing';
import { collectionOf } from '../../db/collections';
import type { Queues } from '../../queues/queues';
import { submissionResource } from '../../records/activities/submission';

/** Wakes the workers when submissions of an org are queued, in case the hint of one was lost. */
export async function recoverInbox(
  services: Pick<Backing, 'db'> & { queues: Queues },
  { org }: { org: ObjectId },
): Promise<{ queued: number }> {
  const queued = await collectionOf(services.db, submissionResource).countDocuments({ status: 'Queued', org });
  if (queued > 0) services.queues.wakeInbox();
  return { queued };
}
