import { timeouts } from '#base/db/timeouts';

/** Bounds of what may wait for a batch. Times in milliseconds. */
export const admissionLimits = {
  /** Most requests of one org that wait in this process. */
  waitingMax: 5000,
  /** While the oldest request has waited less, all may wait: a burst is worked off. */
  burstMs: 500,
  /** Beyond a burst, no more requests may wait than began to be processed in this time. */
  windowMs: 2000,
  /** So many may always wait: a batch full. */
  waitingMin: 256,
} as const;

/** The requests that wait, and the time; times are values of `elapsedMs`. */
export interface Queued {
  waiting: number;
  /** When the oldest of them must be answered; undefined: at any time. */
  oldestEndsAt: number | undefined;
  now: number;
}

/** Decides whether one more request may wait. */
export interface Admission {
  /** Takes note of a batch that starts. */
  noteBatch(size: number, now: number): void;
  isOpen(queued: Queued): boolean;
}

/**
 * Refuses requests at once while a process gets more than it can do, instead of letting all of them wait until their time
 * is over: beyond a burst, what waits must be as much as is done in about two seconds.
 */
export function createAdmission(): Admission {
  const { waitingMax, burstMs, windowMs, waitingMin } = admissionLimits;
  let batches: { size: number; at: number }[] = [];
  return {
    noteBatch(size, now) {
      batches = batches.filter(({ at }) => at > now - windowMs);
      batches.push({ size, at: now });
    },
    isOpen({ waiting, oldestEndsAt, now }) {
      if (waiting >= waitingMax) return false;
      const isBurst = oldestEndsAt === undefined || oldestEndsAt - now > timeouts.requestMs - burstMs;
      if (isBurst || waiting < waitingMin) return true;
      const done = batches.reduce((sum, { size, at }) => (at > now - windowMs ? sum + size : sum), 0);
      return waiting < done;
    },
  };
}
