import { elapsedMs } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import type { Webhook } from '#records/webhooks/webhook';
import { webhookDeliveryResource } from '#records/webhooks/webhookDelivery';
import { type WebhookState, webhookStateResource } from '#records/webhooks/webhookState';
import { signed } from '../secret';
import type { DeliverServices, Stops } from './deliverServices';
import type { WaitingDelivery } from './lanes';
import { pauseWebhook } from './pauseWebhook';
import { recordAttempt } from './recordAttempt';
import { retryAfterOf } from './retryAfter';

/** A delivery to attempt. `health` counts what came of it. */
export interface AttemptOf {
  webhook: Webhook;
  state: Pick<WebhookState, 'activeSince'>;
  health: { failuresInRow: number; succeededAt: Date | undefined };
  delivery: WaitingDelivery;
  stops: Stops;
}

/** What came of an attempt: the delivery while it still waits, and whether the webhook was paused. */
export interface Attempted {
  waiting: WaitingDelivery | undefined;
  isPaused: boolean;
  /** Until when the receiver wants to be left alone. */
  heldUntil?: Date;
}

/**
 * Posts a delivery to its receiver and stores what came of it. An attempt that the end of this worker cut off is not
 * stored, and does not count.
 */
export async function attemptDelivery(
  services: DeliverServices,
  { webhook, state, health, delivery, stops }: AttemptOf,
): Promise<Attempted> {
  const { db, clock, config, transport } = services;
  const deliveries = collectionOf(db, webhookDeliveryResource);
  const stored = await deliveries.findOne({ _id: delivery._id, status: 'Waiting' });
  if (!stored) return { waiting: undefined, isPaused: false };
  const startedAt = clock.now();
  const body = stored.payload ?? '';
  const headers = signed(services, webhook, { id: stored.event, body, now: startedAt });
  if (!headers) {
    await pauseWebhook(db, webhook, 'secret', startedAt);
    // Else a test would be tried again at once.
    if (stored.kind === 'test') await deliveries.deleteOne({ _id: stored._id });
    return { waiting: stored.kind === 'test' ? undefined : delivery, isPaused: true };
  }
  const startedMs = elapsedMs();
  const message = { url: webhook.url, headers: { ...plainHeaders, ...headers }, body };
  const outcome = await transport.post(message, stops.cutting);
  if (stops.cutting.aborted && outcome.status === undefined) return { waiting: delivery, isPaused: false };
  const durationMs = Math.round(elapsedMs() - startedMs);
  const standing = { ...state, succeededAt: health.succeededAt, retainDays: config.RETAIN_WEBHOOKS };
  const ended = { delivery: stored, outcome, startedAt, durationMs, now: clock.now() };
  const { isDelivered, waiting, pause } = await recordAttempt(db, ended, standing);
  if (isDelivered) Object.assign(health, { failuresInRow: 0, succeededAt: startedAt });
  else health.failuresInRow += 1;
  if (pause) await pauseWebhook(db, webhook, pause, clock.now());
  const attempted = { waiting, isPaused: pause !== undefined };
  const retryAfterMs = retryAfterOf(outcome.retryAfter, ended.now);
  if (isDelivered || retryAfterMs === undefined) return attempted;
  const heldUntil = new Date(ended.now.getTime() + retryAfterMs);
  // Nothing is posted to the webhook until then, whichever worker delivers.
  await collectionOf(db, webhookStateResource).updateOne({ _id: webhook._id }, { $set: { heldUntil } });
  return { ...attempted, heldUntil };
}

const plainHeaders = {
  'content-type': 'application/json; charset=utf-8',
  accept: '*/*',
  'user-agent': 'loyalty-engagement-service',
};
