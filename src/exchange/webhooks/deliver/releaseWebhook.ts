import { collectionOf } from '#base/db/collections';
import { updateOperators } from '#base/db/records';
import { webhookStateResource } from '#records/webhooks/webhookState';
import { waitingLimits } from '../schedule';
import type { DeliverServices } from './deliverServices';
import type { Reading } from './readWebhook';
import { nobody, type WebhookLease } from './webhookLease';

/** A webhook as a worker leaves it. */
type Left = Reading & { failuresInRow: number; succeededAt: Date | undefined };

/**
 * Gives up the lease and stores when a worker has to look at the webhook again: when an attempt is due, at once after a
 * wake-up in the meantime, else when there are events.
 * @param left undefined when the webhook is gone, or another worker has it
 */
export async function releaseWebhook(
  { db, clock }: Pick<DeliverServices, 'db' | 'clock'>,
  { own }: WebhookLease,
  left: Left | undefined,
): Promise<void> {
  const states = collectionOf(db, webhookStateResource);
  const free = { owner: nobody, leasedUntil: new Date(0) };
  if (!left) {
    await states.updateOne(own, { $set: free });
    return;
  }
  const { failuresInRow, succeededAt, state } = left;
  const health = { failuresInRow, ...(succeededAt ? { succeededAt } : {}) };
  const roomAt = left.hasCapacity ? undefined : new Date(state.fannedOutAt.getTime() + waitingLimits.trickleMs);
  const due = { dueAt: nextDueAt(left), roomAt };
  const update = updateOperators({ ...health, ...free, ...due }, {});
  const { matchedCount } = await states.updateOne({ ...own, wakes: state.wakes }, update);
  if (matchedCount === 0) await states.updateOne(own, { $set: { ...health, ...free, dueAt: clock.now() } });
}

function nextDueAt({ webhook, lanes, state }: Left): Date | undefined {
  if (webhook.status !== 'Active') return undefined;
  const times = lanes.heads().map(({ nextAttemptAt }) => nextAttemptAt?.getTime() ?? 0);
  if (times.length === 0) return undefined;
  const first = times.reduce((least, time) => Math.min(least, time));
  return new Date(Math.max(first, state.heldUntil?.getTime() ?? 0));
}
