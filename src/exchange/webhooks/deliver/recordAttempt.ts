import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { answerLimits, type WebhookDelivery, webhookDeliveryResource } from '#records/webhooks/webhookDelivery';
import { deletionTime } from '../deletionTime';
import { nextAttemptAt, retryDelaysMs } from '../schedule';
import type { WaitingDelivery } from './lanes';
import { parseRetryAfter } from './retryAfter';
import type { PostOutcome } from './transport';

/** An attempt to deliver, as it ended. */
export interface EndedAttempt {
  delivery: Pick<WebhookDelivery, '_id' | 'org' | 'kind' | 'lane' | 'order' | 'tries' | 'since'>;
  outcome: PostOutcome;
  startedAt: Date;
  durationMs: number;
  now: Date;
}

/** What decides about a failed delivery beside its own attempts. */
export interface DeliveryHealth {
  activeSince: Date;
  /** The last success of any delivery of the webhook. */
  succeededAt: Date | undefined;
  /** Days that a finished delivery is kept; 0: forever. */
  retainDays: number;
}

/** What a delivery is after an attempt. */
export interface Verdict {
  isDelivered: boolean;
  /** The delivery while it still waits. */
  waiting: WaitingDelivery | undefined;
  /** Why the webhook is to be paused: the receiver has accepted nothing for three days, or says that it is gone. */
  pause: 'down' | 'gone' | undefined;
}

/**
 * Decides what a delivery is after an attempt. A status of 2xx delivers it. After three days of failures it is dead,
 * unless the receiver accepted nothing else in that time either. Then it keeps waiting, and its webhook is paused. A
 * 410 pauses the webhook at once. Nothing is tried before the time that the receiver names (`Retry-After`).
 */
export function deliveryVerdict({ delivery, outcome, startedAt, now }: EndedAttempt, health: DeliveryHealth) {
  const { status = 0 } = outcome;
  const isDelivered = status >= 200 && status <= 299;
  const isFirstSinceActive = !delivery.since || delivery.since < health.activeSince;
  const tries = isFirstSinceActive ? 1 : delivery.tries + 1;
  // The clock of the process that made the webhook active may be ahead of this one.
  const begun = startedAt < health.activeSince ? health.activeSince : startedAt;
  const since = delivery.since && !isFirstSinceActive ? delivery.since : begun;
  const ends = { isDelivered, tries, since, pause: undefined };
  if (isDelivered || delivery.kind === 'test') return { ...ends, nextAt: undefined };
  const scheduled = nextAttemptAt(tries, since, now);
  const isReceiverDown = !scheduled && !(health.succeededAt && health.succeededAt >= since);
  const pause = status === gone ? ('gone' as const) : isReceiverDown ? ('down' as const) : undefined;
  const nextAt = scheduled ?? (pause && new Date(now.getTime() + (retryDelaysMs.at(-1) ?? 0)));
  return { ...ends, pause, nextAt: nextAt && laterAttempt(nextAt, parseRetryAfter(outcome.retryAfter, now), now) };
}

/** The status by which a receiver says that it will never take events again. */
const gone = 410;

function laterAttempt(nextAt: Date, retryAfterMs: number | undefined, now: Date): Date {
  const requestedMs = now.getTime() + (retryAfterMs ?? 0);
  return requestedMs > nextAt.getTime() ? new Date(requestedMs) : nextAt;
}

/**
 * Stores an attempt and what it makes of the delivery. Storing it twice, or after another worker delivered it, changes
 * nothing.
 */
export async function recordAttempt(db: Connection, ended: EndedAttempt, health: DeliveryHealth): Promise<Verdict> {
  const { delivery, outcome, startedAt, durationMs, now } = ended;
  const { isDelivered, pause, nextAt, tries, since } = deliveryVerdict(ended, health);
  const { retryAfter: _, ...seen } = outcome;
  const entry = { at: startedAt, durationMs, ...seen };
  const status: WebhookDelivery['status'] = isDelivered ? 'Delivered' : nextAt ? 'Waiting' : 'Dead';
  const kept = status === 'Waiting' ? undefined : deletionTime(now, health.retainDays);
  const unset = {
    ...(nextAt ? {} : { nextAttemptAt: '' as const }),
    ...(isDelivered ? { payload: '' as const } : {}),
  };
  const set = {
    status,
    tries,
    since,
    updatedAt: now,
    ...(nextAt ? { nextAttemptAt: nextAt } : {}),
    ...(isDelivered ? { deliveredAt: now } : {}),
    ...(kept ? { keptUntil: kept } : {}),
  };
  await collectionOf(db, webhookDeliveryResource).updateOne(
    { _id: delivery._id, org: delivery.org, status: 'Waiting' },
    {
      $set: set,
      $inc: { attempts: 1 },
      $push: { log: { $each: [entry], $slice: -answerLimits.kept } },
      ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
    },
  );
  const { _id, kind, lane, order } = delivery;
  const waiting = nextAt && { _id, kind, lane, order, since, nextAttemptAt: nextAt };
  return { isDelivered, waiting, pause };
}
