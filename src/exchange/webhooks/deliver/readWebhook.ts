import { collectionOf } from '#base/db/collections';
import { type Webhook, webhookResource } from '#records/webhooks/webhook';
import { waitingIndex, webhookDeliveryResource } from '#records/webhooks/webhookDelivery';
import { type WebhookState, webhookStateResource } from '#records/webhooks/webhookState';
import { capacityFor } from '../schedule';
import type { DeliverServices } from './deliverServices';
import { fanOut } from './fanOut';
import { fanOutReplays } from './fanOutReplays';
import type { Lanes, WaitingDelivery } from './lanes';
import type { WebhookLease } from './webhookLease';

/** A webhook as it was read last, with what waits. */
export interface Reading {
  webhook: Webhook;
  state: WebhookState;
  lanes: Lanes;
  /** Events may be left that have no delivery yet. */
  hasMore: boolean;
  /** False: there is no room for further events now. */
  hasCapacity: boolean;
}

type Seen = Omit<Reading, 'lanes'> & { waiting: WaitingDelivery[] };

/**
 * Reads a webhook and what waits, and makes deliveries of further events while there is room.
 * @returns undefined when the webhook is gone or another worker has taken over
 */
export async function readWebhook(
  { db, clock, log }: DeliverServices,
  { own }: WebhookLease,
  health: { failuresInRow: number },
): Promise<Seen | undefined> {
  const now = clock.now();
  const [webhook, state] = await Promise.all([
    collectionOf(db, webhookResource).findOne({ _id: own._id, org: own.org }),
    collectionOf(db, webhookStateResource).findOne(own),
  ]);
  if (!webhook || !state) return undefined;
  const waiting = await collectionOf(db, webhookDeliveryResource)
    .find({ org: own.org, webhook: own._id, status: 'Waiting' }, { hint: waitingIndex })
    .project<WaitingDelivery>({ kind: 1, lane: 1, order: 1, nextAttemptAt: 1, since: 1 })
    .sort({ order: 1 })
    .toArray();
  const none = { webhook, state, waiting, hasMore: false, hasCapacity: true };
  if (webhook.status !== 'Active') return none;
  const going = { waiting: waiting.length, failuresInRow: health.failuresInRow, fannedOutAt: state.fannedOutAt };
  const limit = capacityFor(going, now);
  if (limit === 0) return { ...none, hasCapacity: false };
  const onGap = () =>
    log.warn({ webhook: webhook._id, cursor: state.cursor }, 'events of a webhook were removed before it got them');
  const live = await fanOut(db, { webhook, state, limit, now, onGap });
  const left = { webhook, state: { ...state, made: state.made + live.made.length }, limit: limit - live.made.length };
  const again = left.limit > 0 ? await fanOutReplays(db, { ...left, now }) : { made: [], hasMore: false };
  return { ...none, waiting: [...waiting, ...live.made, ...again.made], hasMore: live.hasMore || again.hasMore };
}
