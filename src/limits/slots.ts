import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '../common/errors';

/** Bounds of costly work. */
export interface SlotOptions {
  /** How many run at a time. */
  atOnce: number;
  /** How many wait at most, of the preferred and of the others each. */
  waitingMax: number;
  /** How long one waits at most. */
  waitMaxMs: number;
  /** What is said to who is refused. */
  busyMessage: string;
}

/** Runs costly work a few at a time. */
export interface Slots {
  /**
   * Runs work once its turn has come; the preferred before the others.
   * @throws ServiceError 1310 when too many wait, or the turn does not come in time; the work has not begun then
   */
  run<T>(work: () => Promise<T>, isPreferred?: boolean): Promise<T>;
}

/** Makes slots of this process. */
export function createSlots({ atOnce, waitingMax, waitMaxMs, busyMessage }: SlotOptions): Slots {
  const preferred: (() => void)[] = [];
  const others: (() => void)[] = [];
  let free = atOnce;

  const turn = async (queue: (() => void)[]) => {
    if (queue.length >= waitingMax) throw unavailable(busyMessage);
    const timer = new AbortController();
    let begin = () => {};
    const called = new Promise<'called'>((resolve) => {
      begin = () => resolve('called');
    });
    queue.push(begin);
    const late = delay(waitMaxMs, 'late' as const, { signal: timer.signal });
    late.catch(() => undefined); // aborted
    const outcome = await Promise.race([called, late]);
    timer.abort();
    const place = queue.indexOf(begin);
    // Called in the very moment it was late: the slot is its own already.
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
        // The slot is handed on: it never counts as free in between.
        if (next) next();
        else free += 1;
      }
    },
  };
}
