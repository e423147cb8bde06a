import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { updateStamps } from '#base/db/records';
import { inTransaction, withRetries } from '#base/db/transaction';
import { audit } from '#platform/audit/audit';
import { recordChange } from '#platform/audit/change';
import { orgResource } from '#records/users/org';
import { type Webhook, webhookResource } from '#records/webhooks/webhook';

/** Why the service pauses a webhook, as its managers read it. */
export const pauseReasons = {
  down: 'The receiver accepted nothing for three days. Set the status to Active when it works again',
  gone: 'The receiver answered 410: it wants no more events. Set the status to Active when it takes them again',
  secret:
    'The key from which its secret is derived has changed: WEBHOOK_KEY, or JWT_SECRET where that is not set. ' +
    'Set it back, or rotate the secret; then set the status to Active',
} as const;

/** Pauses a webhook in the name of the service, in one transaction with the entry of the audit log. What waits stays. */
export async function pauseWebhook(
  db: Connection,
  { _id, org }: Pick<Webhook, '_id' | 'org'>,
  why: keyof typeof pauseReasons,
  now: Date,
): Promise<void> {
  const owner = await collectionOf(db, orgResource).findOne({ _id: org });
  if (!owner) return;
  const author = { org, userId: owner.systemUser };
  const set = { status: 'Paused' as const, pausedBecause: pauseReasons[why], ...updateStamps(author, now) };
  const pause = async (session: ClientSession) => {
    const active = { _id, org, status: 'Active' as const };
    const webhooks = collectionOf(db, webhookResource);
    const before = await webhooks.findOneAndUpdate(active, { $set: set }, { session, returnDocument: 'before' });
    if (!before) return;
    const sides = { before, after: { ...before, ...set } };
    await audit(db, session, author, now, [recordChange(webhookResource, { action: 'pause', id: _id }, sides)]);
  };
  await withRetries(() => inTransaction(db, pause), {});
}
