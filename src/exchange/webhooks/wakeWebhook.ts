import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { type WebhookState, webhookStateResource } from '#records/webhooks/webhookState';

/** Asks the workers to look at a webhook now, in the transaction that gives them something to do. */
export async function wakeWebhook(
  db: Connection,
  webhook: ObjectId,
  { now, set = {}, session }: { now: Date; set?: Partial<WebhookState>; session?: ClientSession },
): Promise<void> {
  const wake = { $inc: { wakes: 1 }, $set: { ...set, dueAt: now } };
  await collectionOf(db, webhookStateResource).updateOne({ _id: webhook }, wake, session ? { session } : {});
}
