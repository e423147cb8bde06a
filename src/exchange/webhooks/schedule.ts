import { hourMs, minuteMs } from '#base/common/durations';

/** Milliseconds to the next attempt after the first, second … failure; after further ones as after the last. */
export const retryDelaysMs = [5000, 30_000, 2 * minuteMs, 10 * minuteMs, hourMs] as const;

/** How long after the first attempt a delivery is tried again, in milliseconds: three days. */
export const triedForMs = 72 * hourMs;

/**
 * When to try a delivery again; undefined when three days have passed.
 * @param tries failed attempts so far, at least 1
 * @param since when the first of them began
 */
export function nextAttemptAt(tries: number, since: Date, now: Date): Date | undefined {
  const delayMs = retryDelaysMs[tries - 1] ?? hourMs;
  const next = new Date(now.getTime() + delayMs);
  return next.getTime() - since.getTime() > triedForMs ? undefined : next;
}

/**
 * Limits of the deliveries of a webhook that wait: `waitingMax` in any case. A receiver counts as down after
 * `downAfter` failures in a row; then events wait where they are, and only `trickleEvents` of them become deliveries each
 * `trickleMs`, in case the receiver refuses only what waits already.
 */
export const waitingLimits = {
  waitingMax: 10_000,
  pageMax: 500,
  downAfter: 100,
  trickleEvents: 10,
  trickleMs: 10 * minuteMs,
} as const;

/** How the deliveries of a webhook go. */
export interface Going {
  /** Deliveries that wait. */
  waiting: number;
  /** Failed attempts since the last success. */
  failuresInRow: number;
  /** When events were last made deliveries. */
  fannedOutAt: Date;
}

/** How many events may become deliveries now; 0: they wait. */
export function capacityFor({ waiting, failuresInRow, fannedOutAt }: Going, now: Date): number {
  const { waitingMax, pageMax, downAfter, trickleEvents: trickle, trickleMs } = waitingLimits;
  const capacity = Math.min(pageMax, waitingMax - waiting);
  if (capacity <= 0) return 0;
  if (failuresInRow < downAfter || waiting === 0) return capacity;
  return now.getTime() - fannedOutAt.getTime() >= trickleMs ? Math.min(capacity, trickle) : 0;
}
