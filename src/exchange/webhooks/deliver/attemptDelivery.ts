import type { ClientSession, Connection } from 'mongoose';
import { elapsedMs } from '#base/common/clock';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { updateStamps } from '#base/db/records';
import { inTransaction, withRetries } from '#base/db/transaction';
import { audit } from '#platform/audit/audit';
import { recordChange } from '#platform/audit/change';
import { orgResource } from '#records/users/org';
import { type Webhook, webhookResource } from '#records/webhooks/webhook';
import { webhookDeliveryResource } from '#records/webhooks/webhookDelivery';
import { type WebhookState, webhookStateResource } from '#records/webhooks/webhookState';
import { signed } from '../secret';
import type { DeliverServices, Stops } from './deliverServices';
import type { WaitingDelivery } from './lanes';
import { recordAttempt } from './recordAttempt';
import { parseRetryAfter } from './retryAfter';

/** Why the service pauses a webhook, as its managers read it. */
const pauseReasons = {
  down: message('webhooks.pausedDown'),
  gone: message('webhooks.pausedGone'),
  secret: message('webhooks.pausedSecret'),
} as const;

/** Pauses a webhook in the name of the service, in one transaction with the entry of the audit log. What waits stays. */
async function pauseWebhook(
  db: Connection,
  { _id, org }: Pick<Webhook, '_id' | 'org'>,
  why: keyof typeof pauseReasons,
  now: Date,
): Promise<void> {
  const owner = await collectionOf(db, orgResource).findOne({ _id: org });
  if (!owner) return;
  const author = { org, userId: owner.systemUser };
  const fault = pauseReasons[why];
  const reason = { pausedBecause: fault.message, fault };
  const set = { status: 'Paused' as const, ...reason, ...updateStamps(author, now) };
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

/** A delivery to attempt. `health` counts its outcome. */
export interface AttemptOf {
  webhook: Webhook;
  state: Pick<WebhookState, 'activeSince'>;
  health: { failuresInRow: number; succeededAt: Date | undefined };
  delivery: WaitingDelivery;
  stops: Stops;
}

/** The outcome of an attempt: the delivery while it still waits, and whether the webhook was paused. */
export interface Attempted {
  waiting: WaitingDelivery | undefined;
  isPaused: boolean;
  /** Until when the receiver wants to be left alone. */
  heldUntil?: Date;
}

/**
 * Posts a delivery to its receiver and stores the outcome. An attempt that was cut off by the end of this worker is not
 * stored, and does not count.
 */
export async function attemptDelivery(
  services: DeliverServices,
  { webhook, state, health, delivery, stops }: AttemptOf,
): Promise<Attempted> {
  const { db, clock, config, transport } = services;
  const deliveries = collectionOf(db, webhookDeliveryResource);
  const stored = await deliveries.findOne({ _id: delivery._id, org: webhook.org, status: 'Waiting' });
  if (!stored) return { waiting: undefined, isPaused: false };
  const startedAt = clock.now();
  const body = stored.payload ?? '';
  const headers = signed(services, webhook, { id: stored.event, body, now: startedAt });
  if (!headers) {
    await pauseWebhook(db, webhook, 'secret', startedAt);
    // Else a test would be tried again at once.
    if (stored.kind === 'test') await deliveries.deleteOne({ _id: stored._id, org: stored.org });
    return { waiting: stored.kind === 'test' ? undefined : delivery, isPaused: true };
  }
  const startedMs = elapsedMs();
  const request = { url: webhook.url, headers: { ...plainHeaders, ...headers }, body };
  const outcome = await transport.post(request, stops.cutting);
  if (stops.cutting.aborted && outcome.status === undefined) return { waiting: delivery, isPaused: false };
  const durationMs = Math.round(elapsedMs() - startedMs);
  const currentState = { ...state, succeededAt: health.succeededAt, retainDays: config.RETAIN_WEBHOOKS };
  const ended = { delivery: stored, outcome, startedAt, durationMs, now: clock.now() };
  const { isDelivered, waiting, pause } = await recordAttempt(db, ended, currentState);
  if (isDelivered) Object.assign(health, { failuresInRow: 0, succeededAt: startedAt });
  else health.failuresInRow += 1;
  if (pause) await pauseWebhook(db, webhook, pause, clock.now());
  const attempted = { waiting, isPaused: pause !== undefined };
  const retryAfterMs = parseRetryAfter(outcome.retryAfter, ended.now);
  if (isDelivered || retryAfterMs === undefined) return attempted;
  const heldUntil = new Date(ended.now.getTime() + retryAfterMs);
  // Nothing is posted to the webhook until then, whichever worker delivers.
  await collectionOf(db, webhookStateResource).updateOne(
    { _id: webhook._id, org: webhook.org },
    { $set: { heldUntil } },
  );
  return { ...attempted, heldUntil };
}

const plainHeaders = {
  'content-type': 'application/json; charset=utf-8',
  accept: '*/*',
  'user-agent': 'loyalty-engagement-service',
};
