import { randomUUID } from 'node:crypto';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { elapsedMs } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { defineLeases, type KeptLease, keepLease } from '#base/db/leases/lease';
import { type WebhookState, webhookStateResource } from '#records/webhooks/webhookState';

/**
 * `lastsMs`: how long a lease lasts after a renewal, by the clock of the database. `renewedEveryMs`: how often a worker
 * renews it. Longer than a pause of the process, shorter than anybody wants to wait after a kill.
 */
export const webhookLeaseLimits = { lastsMs: 6000, renewedEveryMs: 2000 } as const;

/** The owner of a webhook that no worker delivers. */
export const nobody = 'nobody';

const leases = defineLeases({ holder: 'owner', until: 'leasedUntil', ...webhookLeaseLimits });

/** Filter of the webhooks that no worker delivers. */
export const { free: undelivered } = leases;

/** The exclusive right of a worker to deliver to a webhook, until it is released or a renewal fails. */
export interface WebhookLease extends Pick<KeptLease, 'isHeld' | 'end'> {
  /** The state when the lease began. */
  state: WebhookState;
  /** Filter of the state while it belongs to this lease. */
  own: { _id: ObjectId; org: ObjectId; owner: string };
}

/** Takes the webhook when no other worker has it; undefined when one has. */
export async function leaseWebhook(
  db: Connection,
  { _id, org }: Pick<WebhookState, '_id' | 'org'>,
): Promise<WebhookLease | undefined> {
  const own = { _id, org, owner: randomUUID() };
  const states = collectionOf(db, webhookStateResource);
  const sinceMs = elapsedMs();
  const free = { _id, org, ...undelivered };
  const state = await states.findOneAndUpdate(free, leases.taken(own.owner), { returnDocument: 'after' });
  if (!state) return undefined;
  const renew = async () => (await states.updateOne(own, leases.renewed())).matchedCount === 1;
  return { state, own, ...keepLease(webhookLeaseLimits, renew, { sinceMs }) };
}
