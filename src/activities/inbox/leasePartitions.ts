import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { elapsedMs } from '#base/common/clock';
import { claimPartitions, partitionLeaseLimits, releasePartitions } from './partitions';

/** The partitions that a worker leases. */
export interface PartitionLeases {
  /** The partitions that this worker may drain now. */
  current(): Promise<number[]>;
  /** Stops renewing and releases the partitions. */
  close(): Promise<void>;
}

/**
 * After this time without renewal, a worker renews its lease before it continues: another worker may have taken over.
 */
const trustedMs = partitionLeaseLimits.lastsMs - partitionLeaseLimits.renewedEveryMs;

/**
 * Leases partitions for a worker. A timer renews the lease, so that the worker keeps its partitions during a long page.
 */
export function leasePartitions(db: Connection): PartitionLeases {
  const owner = randomUUID();
  let lease: { partitions: number[]; sinceMs: number } | undefined;
  let renewing: Promise<number[]> | undefined;
  const claim = async () => {
    const sinceMs = elapsedMs();
    const partitions = await claimPartitions(db, owner);
    lease = { partitions, sinceMs };
    return partitions;
  };
  const renew = () => {
    renewing ??= claim().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  // A failed renewal is tried again at the next tick. `current` reports the error when it renews itself.
  const timer = setInterval(() => void renew().catch(() => undefined), partitionLeaseLimits.renewedEveryMs);
  timer.unref();
  return {
    async current() {
      if (lease && elapsedMs() - lease.sinceMs < trustedMs) return lease.partitions;
      return renew();
    },
    async close() {
      clearInterval(timer);
      await renewing?.catch(() => undefined);
      await releasePartitions(db, owner);
    },
  };
}
