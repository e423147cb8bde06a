import type { ObjectId } from 'bson';
import { collectionOf } from '../../db/collections';
import { submissionResource } from '../../records/activities/submission';
import type { Services } from '../../services';

/** Wakes the workers when something of an org is queued; finds what a lost hint left behind. */
export async function recoverInbox(
  services: Pick<Services, 'db' | 'queues'>,
  { org }: { org: ObjectId },
): Promise<{ queued: number }> {
  const queued = await collectionOf(services.db, submissionResource).countDocuments({ status: 'Queued', org });
  if (queued > 0) services.queues.wakeInbox();
  return { queued };
}
