import { ObjectId } from 'bson';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { tooManyRequests } from '#base/limits/tooManyRequests';
import { readPathId } from '#platform/http/collection/readPathId';
import { keptAnswer } from '#platform/http/keys/keptAnswer';
import type { Answer, Request } from '#platform/http/route';
import { storedRecord, visible } from '#platform/recordWrites/storedRecord';
import { webhookResource } from '#records/webhooks/webhook';
import { type WebhookDelivery, webhookDeliveryResource } from '#records/webhooks/webhookDelivery';
import { storeAndWake } from './wakeWebhook';

/** The type of the event of a test. No other event has it. */
export const testEventType = 'webhook.test';

/** Most tests of a webhook that wait. */
const waitingMax = 10;

/**
 * `POST /webhooks/{id}/test`: has a worker post a made-up event, once, also while the webhook is paused.
 * @throws ServiceError 1260 when too many tests wait
 */
export async function testWebhook(request: Request): Promise<Answer> {
  const { services, principal } = request;
  const now = request.machineClock.now();
  const { db } = services;
  const { _id: webhook } = await storedRecord(webhookResource, request, readPathId(request));
  const deliveries = collectionOf(db, webhookDeliveryResource);
  const waiting = await deliveries.countDocuments({ org: principal.org, webhook, status: 'Waiting', kind: 'test' });
  if (waiting >= waitingMax) throw tooManyRequests(message('webhooks.tooManyTests', { max: waitingMax }), 10_000);
  const _id = new ObjectId();
  const event = `test-${_id}`;
  const body = { id: event, type: testEventType, at: now, program: null, member: null, data: {} };
  const test: WebhookDelivery = {
    ...newStamps(principal, now, _id),
    webhook,
    event,
    type: testEventType,
    kind: 'test',
    status: 'Waiting',
    attempts: 0,
    log: [],
    lane: event,
    order: 0,
    tries: 0,
    payload: JSON.stringify(body),
  };
  return keptAnswer(request, acceptedDelivery, (inCommit) =>
    storeAndWake(db, webhookDeliveryResource, { made: test, now, inCommit }),
  );
}

/** The answer about a delivery that a worker will make. */
export function acceptedDelivery(delivery: WebhookDelivery): Answer {
  const headers = { Location: `/api/v1/webhooks/${delivery.webhook}/deliveries/${delivery._id}` };
  return { status: 202, body: visible(webhookDeliveryResource, delivery), headers };
}
