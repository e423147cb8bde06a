import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { createSemaphore } from '#base/limits/semaphore';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { webhookDeliveryResource } from '#records/webhooks/webhookDelivery';
import { webhookReplayResource } from '#records/webhooks/webhookReplay';
import { webhookStateResource } from '#records/webhooks/webhookState';
import { deliverWebhook } from './deliverWebhook';
import { findDue, type WebhookOfOrg } from './findDue';
import { createTransport, type TransportOptions } from './transport';

/** Most deliveries that are deleted in one go. */
const pageMax = 1000;

/** Deletes the records of a deleted webhook. The state is last, so that a killed worker leaves nothing. */
async function forgetWebhook(db: Connection, { _id: webhook, org }: WebhookOfOrg): Promise<void> {
  const deliveries = collectionOf(db, webhookDeliveryResource);
  for (;;) {
    const page = await deliveries.find({ org, webhook }).project({ _id: 1 }).limit(pageMax).toArray();
    if (page.length > 0) await deliveries.deleteMany({ org, _id: { $in: page.map(({ _id }) => _id) } });
    if (page.length < pageMax) break;
  }
  await collectionOf(db, webhookReplayResource).deleteMany({ org, webhook });
  await collectionOf(db, webhookStateResource).deleteOne({ _id: webhook, org });
}

/**
 * Limits of a worker process: attempts in flight over all webhooks, webhooks it delivers to at once, and how long
 * attempts in flight may take when it ends.
 */
export const delivererLimits = { inFlight: 256, webhooks: 200, endMs: 5000 } as const;

/** Delivers events to webhooks. */
export interface Deliverer {
  /** Looks once for webhooks that have work and begins with them. It does not wait for their receivers. */
  look(): Promise<void>;
  /** Waits until everything that was begun is done. */
  idle(): Promise<void>;
  /** Begins nothing more, gives attempts in flight some seconds, and closes the connections. */
  close(): Promise<void>;
}

/** Opens what a worker needs to deliver. @param options of the transport, for tests */
export function createDeliverer(
  backing: Pick<Infrastructure, 'db' | 'clock' | 'log' | 'config' | 'tokenKey'>,
  options: Partial<TransportOptions> = {},
): Deliverer {
  const { db, clock, log, config } = backing;
  const transport = createTransport({ isPrivateAllowed: config.WEBHOOK_PRIVATE === 'on', ...options });
  const services = { ...backing, transport, attemptSlots: createSemaphore({ atOnce: delivererLimits.inFlight }) };
  const [ending, cutting] = [new AbortController(), new AbortController()];
  const stops = { ending: ending.signal, cutting: cutting.signal };
  const running = new Map<string, Promise<void>>();
  const begin = (id: ObjectId, work: () => Promise<void>) => {
    const key = id.toHexString();
    if (ending.signal.aborted || running.has(key) || running.size >= delivererLimits.webhooks) return;
    const run = work()
      .catch((err: unknown) => log.error({ err, webhook: id }, 'delivering to a webhook failed'))
      .finally(() => running.delete(key));
    running.set(key, run);
  };
  const idle = async () => {
    await Promise.all(running.values());
  };
  return {
    idle,
    async look() {
      const { due, deleted } = await findDue(db, clock.now());
      for (const each of due) begin(each._id, () => deliverWebhook(services, each, stops));
      for (const each of deleted) begin(each._id, () => forgetWebhook(db, each));
    },
    async close() {
      ending.abort();
      const timer = setTimeout(() => cutting.abort(), delivererLimits.endMs);
      await idle();
      clearTimeout(timer);
      transport.close();
    },
  };
}
