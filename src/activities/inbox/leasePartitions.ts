import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { keepLease } from '#base/db/leases/lease';
import { claimPartitions, partitionLeaseLimits, releasePartitions } from './partitions';

/** The partitions that a worker leases. */
export interface PartitionLeases {
  /** The partitions that this worker may drain now. */
  current(): Promise<number[]>;
  /** Stops renewing and releases the partitions. */
  close(): Promise<void>;
}

const { lastsMs, renewedEveryMs } = partitionLeaseLimits;

/**
 * After this time without renewal, a worker renews its lease before it continues: another worker may have taken over.
 */
const trustedMs = lastsMs - renewedEveryMs;

/**
 * Leases partitions for a worker. A timer renews the lease, so that the worker keeps its partitions during a long page.
 */
export function leasePartitions(db: Connection): PartitionLeases {
  const owner = randomUUID();
  let partitions: number[] = [];
  const claim = async () => {
    partitions = await claimPartitions(db, owner);
    return true;
  };
  const kept = keepLease({ lastsMs: trustedMs, renewedEveryMs }, claim, { sinceMs: Number.NEGATIVE_INFINITY });
  return {
    async current() {
      if (!kept.isHeld()) await kept.renew();
      return partitions;
    },
    async close() {
      await kept.end();
      await releasePartitions(db, owner);
    },
  };
}
