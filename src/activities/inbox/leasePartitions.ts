import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { elapsedMs } from '../../common/clock';
import { claimPartitions, partitionLeaseLimits, releasePartitions } from './partitions';

/** The partitions of a worker. */
export interface PartitionLeases {
  /** Those that are this worker's for the next while. */
  current(): Promise<number[]>;
  /** Gives them up. */
  close(): Promise<void>;
}

/** A worker that has not renewed its claims for so long asks first: another may have taken them over. */
const trustedMs = partitionLeaseLimits.lastsMs - partitionLeaseLimits.renewedEveryMs;

/** Claims partitions for a worker and renews the claims beside what it does, so that a long page does not cost it its partitions. */
export function leasePartitions(db: Connection): PartitionLeases {
  const owner = randomUUID();
  let held: { partitions: number[]; sinceMs: number } | undefined;
  let renewing: Promise<number[]> | undefined;
  const claim = async () => {
    const sinceMs = elapsedMs();
    const partitions = await claimPartitions(db, owner);
    held = { partitions: partitions, sinceMs };
    return partitions;
  };
  const renew = () => {
    renewing ??= claim().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  // What fails is tried again by the next one, or told to whoever asks.
  const timer = setInterval(() => void renew().catch(() => undefined), partitionLeaseLimits.renewedEveryMs);
  timer.unref();
  return {
    async current() {
      if (held && elapsedMs() - held.sinceMs < trustedMs) return held.partitions;
      return renew();
    },
    async close() {
      clearInterval(timer);
      await renewing?.catch(() => undefined);
      await releasePartitions(db, owner);
    },
  };
}
