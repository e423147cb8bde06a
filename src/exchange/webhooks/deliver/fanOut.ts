import type { Connection } from 'mongoose';
import { collectionOf, insertAll } from '#base/db/collections';
import { derivedIdAt } from '#base/db/records';
import { GuardFailed, inTransaction, isWriteConflict, withRetries } from '#base/db/transaction';
import type { CompanionWrite } from '#platform/orgs/writeRecord';
import { type OrgEvent, shownEvent } from '#records/events/event';
import type { Webhook } from '#records/webhooks/webhook';
import { type WebhookDelivery, webhookDeliveryResource } from '#records/webhooks/webhookDelivery';
import { type WebhookState, webhookStateResource } from '#records/webhooks/webhookState';
import { readSkippingGaps } from '../readSkippingGaps';

/** The deliveries that were made, and whether there may be more events. */
export interface FannedOut {
  made: WebhookDelivery[];
  hasMore: boolean;
}

/** For which webhook, of which the caller holds the lease, and how many events at most. */
export interface FanOut {
  webhook: Webhook;
  state: Pick<WebhookState, '_id' | 'org' | 'owner' | 'cursor' | 'made'>;
  limit: number;
  now: Date;
  /** Called when events were removed before they were delivered. */
  onGap?(): void;
}

/**
 * Makes a delivery of each of the next events that the webhook wants, and moves its cursor past them, in one
 * transaction. The ids of deliveries are derived, so an event never has two.
 * @throws GuardFailed when another worker has taken over
 */
export async function fanOut(db: Connection, { webhook, state, limit, now, onGap }: FanOut): Promise<FannedOut> {
  const page = await readSkippingGaps(db, webhook.org, { after: state.cursor, types: webhook.events, limit });
  if (page.isGap) onGap?.();
  const made = page.events.map((event, index) =>
    buildDelivery(webhook, event, { kind: 'event', order: state.made + index, lane: `${event.member ?? ''}`, now }),
  );
  if (page.next === state.cursor) return { made: [], hasMore: false };
  const set = { cursor: page.next, made: state.made + made.length, fannedOutAt: now };
  await storeDeliveries(db, { state, set, made });
  return { made, hasMore: true };
}

/** Deliveries to store with a change of the state of their webhook. */
interface NewDeliveries {
  state: FanOut['state'];
  set: Partial<WebhookState>;
  made: readonly WebhookDelivery[];
}

/**
 * Stores deliveries and how far they are, in one transaction, while this worker has the webhook.
 * @param companion is written with them
 * @throws GuardFailed when another worker has taken over
 */
export async function storeDeliveries(
  db: Connection,
  { state: { _id, org, owner, made: before }, set, made }: NewDeliveries,
  companion?: CompanionWrite,
): Promise<void> {
  const states = collectionOf(db, webhookStateResource);
  const write = () =>
    inTransaction(db, async (session) => {
      const { matchedCount } = await states.updateOne({ _id, org, owner, made: before }, { $set: set }, { session });
      if (matchedCount === 0) throw new GuardFailed('another worker delivers');
      await companion?.(session);
      if (made.length > 0) await insertAll(db, session, webhookDeliveryResource.path, made);
    });
  // A renewal of the lease, or a wake-up, may write the state at the same time.
  await withRetries(write, { isWorthRetrying: isWriteConflict });
}

/** How an event is delivered. */
interface Way {
  kind: WebhookDelivery['kind'];
  /** The replay that delivers it again. */
  replay?: WebhookDelivery['replay'];
  lane: string;
  order: number;
  now: Date;
}

/** Makes the delivery of an event. Its body stays the same at each attempt. */
export function buildDelivery(
  webhook: Pick<Webhook, '_id' | 'org' | 'createdBy' | 'updatedBy'>,
  event: OrgEvent,
  { kind, replay, lane, order, now }: Way,
): WebhookDelivery {
  const id = derivedIdAt(now, 'delivery', webhook._id, event.id, replay ?? '');
  return {
    _id: id,
    org: webhook.org,
    createdAt: now,
    updatedAt: now,
    createdBy: webhook.createdBy,
    updatedBy: webhook.updatedBy,
    webhook: webhook._id,
    event: event.id,
    type: event.type,
    kind,
    ...(event.member ? { member: event.member } : {}),
    ...(replay ? { replay } : {}),
    status: 'Waiting',
    attempts: 0,
    log: [],
    lane,
    order,
    tries: 0,
    payload: JSON.stringify(shownEvent(event)),
  };
}
