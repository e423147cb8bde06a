import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { waitingIndex, webhookDeliveryResource } from '#records/webhooks/webhookDelivery';

/** Most deliveries that are counted; with more, this is the number. */
export const countedMax = 100_000;

/** Counts the deliveries of all webhooks that wait. @param maxTimeMS how long it may take */
export function countPending(db: Connection, maxTimeMS: number): Promise<number> {
  return collectionOf(db, webhookDeliveryResource).countDocuments(
    { status: 'Waiting' },
    { hint: waitingIndex, limit: countedMax, maxTimeMS },
  );
}
