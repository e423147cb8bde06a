import { Type } from '@sinclair/typebox';
import { count, instant, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/**
 * How far the deliveries of a webhook are. The `_id` is the id of the webhook. Only the worker that holds the lease
 * writes it; others only count `wakes`. Internal.
 */
export const webhookStateResource = defineResource({
  name: 'WebhookState',
  path: 'webhookstates',
  isInternal: true,
  fields: {
    /** Id of the last event that has a delivery or needs none; absent: none was there yet. */
    cursor: Type.Optional(text(100)),
    /** Number of deliveries made so far; each has the next one as its `order`. */
    made: count(),
    /** When deliveries were last made of events. */
    fannedOutAt: instant(),
    /** When the webhook was made or last set to Active. */
    activeSince: instant(),
    /** The last answer that counted as delivered. */
    succeededAt: Type.Optional(instant()),
    /** Attempts that failed since then. */
    failuresInRow: count(),
    /** When a delivery has to be tried; absent: none waits. */
    dueAt: Type.Optional(instant()),
    /** Before then nothing is posted, because the receiver said so (`Retry-After`); absent: at once. */
    heldUntil: Type.Optional(instant()),
    /** Before then no further event becomes a delivery; absent: at once. */
    roomAt: Type.Optional(instant()),
    /** Counts wake-ups, so that a worker that is about to end notices a new one. */
    wakes: count(),
    /** The worker that delivers, and until when, by the clock of the database. */
    owner: text(100),
    leasedUntil: instant(),
  },
});

export type WebhookState = DocOf<typeof webhookStateResource>;
