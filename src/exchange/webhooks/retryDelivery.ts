import { invalidField, notFound } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { updateStamps } from '#base/db/records';
import { GuardFailed, inTransaction, withRetries } from '#base/db/transaction';
import { readPathId } from '#platform/http/collection/readPathId';
import { keptAnswer } from '#platform/http/keys/keptAnswer';
import type { Answer, Request } from '#platform/http/route';
import { type WebhookDelivery, webhookDeliveryResource } from '#records/webhooks/webhookDelivery';
import { acceptedDelivery } from './testWebhook';
import { wakeWebhook } from './wakeWebhook';

/**
 * `POST /webhooks/{id}/deliveries/{deliveryId}/retry`: lets a worker try a delivery now. A dead one starts again. No
 * other delivery waits for it, because later ones of its member may have been delivered long ago.
 * @throws ServiceError 1200 when it was delivered, 1500 when there is none
 */
export async function retryDelivery(request: Request): Promise<Answer> {
  const { services } = request;
  const now = request.machineClock.now();
  const { db, clock } = services;
  return keptAnswer(request, acceptedDelivery, async (inCommit) => {
    const attempt = async () => {
      const delivery = await storedDelivery(request);
      const { org, webhook } = delivery;
      const { set, unset } = retryChange(delivery);
      return inTransaction(db, async (session) => {
        const again = await collectionOf(db, webhookDeliveryResource).findOneAndUpdate(
          { _id: delivery._id, org, status: delivery.status, attempts: delivery.attempts },
          { $set: { ...set, nextAttemptAt: now, ...updateStamps(request.principal, now) }, $unset: unset },
          { session, returnDocument: 'after' },
        );
        if (!again) throw new GuardFailed();
        await wakeWebhook(db, { _id: webhook, org }, { now, set: { heldUntil: now }, session });
        await inCommit?.(again, session);
        return again;
      });
    };
    return withRetries(attempt, { now: () => clock.now().getTime() });
  });
}

/** Returns the delivery that the path names. @throws ServiceError 1500 when the webhook has none with this id */
export async function storedDelivery(request: Request): Promise<WebhookDelivery> {
  const { services, principal } = request;
  const one = { org: principal.org, webhook: readPathId(request), _id: readPathId(request, 'deliveryId') };
  const found = await collectionOf(services.db, webhookDeliveryResource).findOne(one);
  if (!found) throw notFound('WebhookDelivery');
  return found;
}

function retryChange({ _id, status }: WebhookDelivery) {
  if (status === 'Delivered') throw invalidField('status', 'enum', message('webhooks.delivered'));
  if (status === 'Waiting') return { set: {}, unset: {} };
  const set = { status: 'Waiting' as const, tries: 0, lane: `retry ${_id}` };
  return { set, unset: { since: '' as const, keptUntil: '' as const } };
}
