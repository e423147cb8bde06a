/** Bounds of what may wait. Times in milliseconds. */
export const admissionLimits = {
  /** The most requests that wait. */
  waitingMax: 5000,
  /** While the oldest request has waited less, all may wait: a burst is worked off. */
  burstMs: 500,
  /** Beyond a burst, no more requests may wait than were done in this time. */
  windowMs: 2000,
  /** So many may always wait: a batch of activities full. */
  waitingMin: 256,
} as const;

/** The requests that wait, and the time as a value of `elapsedMs`. */
export interface Queued {
  waiting: number;
  /** How many milliseconds the oldest of them has waited; undefined when it may wait for ever, or none waits. */
  oldestMs: number | undefined;
  now: number;
}

/** Decides whether one more request may wait. */
export interface Admission {
  /** Takes note of requests that wait no longer, because they are done or being done. */
  noteDone(count: number, now: number): void;
  isOpen(queued: Queued): boolean;
}

/**
 * Refuses requests at once while a process gets more than it can do, instead of letting all of them wait until their time
 * is over: beyond a burst, what waits must be as much as is done in about two seconds.
 */
export function createAdmission(burstMs: number = admissionLimits.burstMs): Admission {
  const { waitingMax, windowMs, waitingMin } = admissionLimits;
  const noted: { count: number; at: number }[] = [];
  let done = 0;
  const forget = (now: number) => {
    while (noted[0] && noted[0].at <= now - windowMs) done -= noted.shift()?.count ?? 0;
  };
  return {
    noteDone(count, now) {
      forget(now);
      noted.push({ count, at: now });
      done += count;
    },
    isOpen({ waiting, oldestMs, now }) {
      if (waiting >= waitingMax) return false;
      const isBurst = oldestMs === undefined || oldestMs < burstMs;
      if (isBurst || waiting < waitingMin) return true;
      forget(now);
      return waiting < done;
    },
  };
}
