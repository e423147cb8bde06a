import { collectionOf } from '../db/resource';
import type { Services } from '../services';
import { submissionResource } from './submission';

/** Wakes the workers when something is queued; finds what a lost hint left behind. */
export async function recoverInbox(services: Pick<Services, 'db' | 'queues'>): Promise<{ queued: number }> {
  const queued = await collectionOf(services.db, submissionResource).countDocuments({ status: 'Queued' });
  if (queued > 0) services.queues.wakeInbox();
  return { queued };
}
