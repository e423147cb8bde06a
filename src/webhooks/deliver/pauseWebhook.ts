import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import { webhookResource } from '../../records/webhooks/webhook';

/** Why the service pauses a webhook, as its managers read it. */
export const pauseReasons = {
  down: 'The receiver accepted nothing for three days. Set the status to Active when it works again',
  secret:
    'The key from which its secret is derived has changed: WEBHOOK_KEY, or JWT_SECRET where that is not set. ' +
    'Set it back, or rotate the secret; then set the status to Active',
} as const;

/** Pauses a webhook in the name of the service. What waits stays. */
export async function pauseWebhook(db: Connection, webhook: ObjectId, why: keyof typeof pauseReasons, now: Date) {
  await collectionOf(db, webhookResource).updateOne(
    { _id: webhook, status: 'Active' },
    { $set: { status: 'Paused', pausedBecause: pauseReasons[why], updatedAt: now } },
  );
}
