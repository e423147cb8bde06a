import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { elapsedMs } from '../../common/clock';
import { claimLanes, leaseLimits, releaseLanes } from './lanes';

/** The lanes of a worker. */
export interface HeldLanes {
  /** Those that are this worker's for the next while. */
  current(): Promise<number[]>;
  /** Gives them up. */
  close(): Promise<void>;
}

/** A worker that has not renewed its claims for so long asks first: another may have taken them over. */
const trustedMs = leaseLimits.lastsMs - leaseLimits.renewedEveryMs;

/** Claims lanes for a worker and renews the claims beside what it does, so that a long page does not cost it its lanes. */
export function holdLanes(db: Connection): HeldLanes {
  const owner = randomUUID();
  let held: { lanes: number[]; sinceMs: number } | undefined;
  let renewing: Promise<number[]> | undefined;
  const claim = async () => {
    const sinceMs = elapsedMs();
    const lanes = await claimLanes(db, owner);
    held = { lanes, sinceMs };
    return lanes;
  };
  const renew = () => {
    renewing ??= claim().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  // What fails is tried again by the next one, or told to whoever asks.
  const timer = setInterval(() => void renew().catch(() => undefined), leaseLimits.renewedEveryMs);
  timer.unref();
  return {
    async current() {
      if (held && elapsedMs() - held.sinceMs < trustedMs) return held.lanes;
      return renew();
    },
    async close() {
      clearInterval(timer);
      await renewing?.catch(() => undefined);
      await releaseLanes(db, owner);
    },
  };
}
