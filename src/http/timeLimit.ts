import { elapsedMs } from '../common/clock';
import { unavailable } from '../common/errors';

/** What is left of the time in which a request is answered; the time in which its client sends is not counted. */
export interface TimeLimit {
  /** Gives what the work gives, if it does so in the time that is left; else the work goes on, and nobody hears of it. */
  keep<T>(work: () => Promise<T>): Promise<T>;
  /** When the time is over if it runs from now on, as of `elapsedMs`. */
  endsAt(): number;
}

/**
 * Begins to measure the time of a request.
 * @param onLate is told what work failed by whose answer was no longer waited for
 * @throws ServiceError 1310 from `keep`, when the time is over
 */
export function startTimeLimit(maxMs: number, onLate: (error: unknown) => void): TimeLimit {
  let leftMs = maxMs;
  return {
    endsAt: () => elapsedMs() + leftMs,
    async keep(work) {
      const startedAt = elapsedMs();
      let timer: NodeJS.Timeout | undefined;
      let isLate = false;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(
          () => {
            isLate = true;
            reject(tooLate());
          },
          Math.max(0, leftMs),
        );
      });
      try {
        const done = work();
        done.catch((error: unknown) => isLate && onLate(error));
        return await Promise.race([done, late]);
      } finally {
        clearTimeout(timer);
        leftMs -= elapsedMs() - startedAt;
      }
    },
  };
}

function tooLate(): Error {
  return unavailable('No answer in time; what was asked may have been done, a repetition with its key tells');
}
