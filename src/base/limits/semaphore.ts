import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '#base/common/errors';
import type { Message } from '#base/common/messages/message';

/** Limits of calls that wait. */
export interface WaitLimits {
  /** How many calls may wait in each of the two queues, preferred and others. */
  waitingMax: number;
  /** How long one call may wait. */
  waitMaxMs: number;
  /** The message of the error for a call that is refused. */
  busyMessage: Message;
}

/** Runs costly work, only a few calls at the same time. */
export interface Semaphore {
  /**
   * Runs work as soon as a slot is free; preferred work comes before other work.
   * @throws ServiceError 1310 when too many calls wait, or no slot is free in time; the work has not begun then
   */
  run<T>(work: () => Promise<T>, isPreferred?: boolean): Promise<T>;
}

/** Limits of costly work. Without limits of those that wait, calls wait in their order for as long as it takes. */
export type SemaphoreOptions = {
  /** How many calls run at the same time. */
  atOnce: number;
} & (WaitLimits | Partial<Record<keyof WaitLimits, undefined>>);

/** Makes slots of this process. */
export function createSemaphore(options: SemaphoreOptions): Semaphore {
  const preferred: (() => void)[] = [];
  const others: (() => void)[] = [];
  let free = options.atOnce;

  const turn = async (queue: (() => void)[]) => {
    if (options.waitMaxMs === undefined) return new Promise<void>((resolve) => queue.push(resolve));
    const { waitingMax, waitMaxMs, busyMessage } = options;
    if (queue.length >= waitingMax) throw unavailable(busyMessage);
    const timer = new AbortController();
    let begin = () => {};
    const called = new Promise<'called'>((resolve) => {
      begin = () => resolve('called');
    });
    queue.push(begin);
    const late = delay(waitMaxMs, 'late' as const, { signal: timer.signal });
    late.catch(() => undefined); // `delay` rejects when it is aborted
    const outcome = await Promise.race([called, late]);
    timer.abort();
    const place = queue.indexOf(begin);
    // The call got its slot at the same instant as the timeout: it must use the slot, or the slot is lost.
    if (outcome === 'called' || place === -1) return;
    queue.splice(place, 1);
    throw unavailable(busyMessage);
  };

  return {
    async run(work, isPreferred = false) {
      if (free > 0) free -= 1;
      else await turn(isPreferred ? preferred : others);
      try {
        return await work();
      } finally {
        const next = preferred.shift() ?? others.shift();
        // The slot goes directly to the next call, so that no new call can take it in between.
        if (next) next();
        else free += 1;
      }
    },
  };
}

/** Does work for each item, at most so many side by side. @returns the results in the order of the items */
export function mapAtOnce<T, R>(atOnce: number, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const semaphore = createSemaphore({ atOnce });
  return Promise.all(items.map((item) => semaphore.run(() => work(item))));
}
