import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf, insertAll } from '#base/db/collections';
import { type InCommit, inTransaction, isWriteConflict, withRetries } from '#base/db/transaction';
import { type WebhookState, webhookStateResource } from '#records/webhooks/webhookState';

/** Asks the workers to look at a webhook now, in the transaction that gives them something to do. */
export async function wakeWebhook(
  db: Connection,
  { _id, org }: Pick<WebhookState, '_id' | 'org'>,
  { now, set = {}, session }: { now: Date; set?: Partial<WebhookState>; session?: ClientSession },
): Promise<void> {
  const wake = { $inc: { wakes: 1 }, $set: { ...set, dueAt: now } };
  await collectionOf(db, webhookStateResource).updateOne({ _id, org }, wake, session ? { session } : {});
}

/** Stores what workers have to deliver, and has them look at its webhook, in one transaction. */
export async function storeAndWake<T extends { _id: ObjectId; org: ObjectId; webhook: ObjectId }>(
  db: Connection,
  { path }: { path: string },
  { made, now, inCommit }: { made: T; now: Date; inCommit?: InCommit<T> | undefined },
): Promise<T> {
  const write = () =>
    inTransaction(db, async (session) => {
      await insertAll(db, session, path, [made]);
      await wakeWebhook(db, { _id: made.webhook, org: made.org }, { now, session });
      await inCommit?.(made, session);
    });
  await withRetries(write, { isWorthRetrying: isWriteConflict });
  return made;
}
