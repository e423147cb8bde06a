import { randomUUID } from 'node:crypto';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { elapsedMs } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { type WebhookState, webhookStateResource } from '#records/webhooks/webhookState';

/**
 * `lastsMs`: how long a lease lasts after a renewal, by the clock of the database. `renewedEveryMs`: how often a worker
 * renews it. Longer than a pause of the process, shorter than anybody wants to wait after a kill.
 */
export const webhookLeaseLimits = { lastsMs: 6000, renewedEveryMs: 2000 } as const;

/** The owner of a webhook that no worker delivers. */
export const nobody = 'nobody';

/** The exclusive right of a worker to deliver to a webhook, until it is released or a renewal fails. */
export interface WebhookLease {
  /** The state when the lease began. */
  state: WebhookState;
  /** Filter of the state while it belongs to this lease. */
  own: { _id: ObjectId; owner: string };
  /** False once another worker may have taken over. */
  isHeld(): boolean;
  /** Stops renewing. It does not release. */
  end(): void;
}

/** Takes the webhook when no other worker has it; undefined when one has. */
export async function leaseWebhook(db: Connection, webhook: ObjectId): Promise<WebhookLease | undefined> {
  const owner = randomUUID();
  const states = collectionOf(db, webhookStateResource);
  const until = { $add: ['$$NOW', webhookLeaseLimits.lastsMs] };
  let renewedMs = elapsedMs();
  const state = await states.findOneAndUpdate(
    { _id: webhook, $expr: { $lte: ['$leasedUntil', '$$NOW'] } },
    [{ $set: { owner, leasedUntil: until } }],
    { returnDocument: 'after' },
  );
  if (!state) return undefined;
  const own = { _id: webhook, owner };
  const renew = async () => {
    const startedMs = elapsedMs();
    const { matchedCount } = await states.updateOne(own, [{ $set: { leasedUntil: until } }]);
    renewedMs = matchedCount === 1 ? startedMs : Number.NEGATIVE_INFINITY;
  };
  // A failed renewal is tried again at the next tick, while the lease lasts.
  const timer = setInterval(() => void renew().catch(() => undefined), webhookLeaseLimits.renewedEveryMs);
  timer.unref();
  return {
    state,
    own,
    isHeld: () => elapsedMs() - renewedMs < webhookLeaseLimits.lastsMs,
    end: () => clearInterval(timer),
  };
}
