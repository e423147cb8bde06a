import type { IncomingMessage } from 'node:http';
import type { Principal } from '../auth/authenticate';
import type { Backing } from '../backing/backing';
import { elapsedMs } from '../common/clock';
import { malformed, unavailable } from '../common/errors';
import { createLimiter } from '../limits/limiter';
import { tooManyRequests, wholeSeconds } from '../limits/tooManyRequests';
import type { Context } from './state';

/** What is left of the time in which a request is answered; the time in which its client sends is not counted. */
interface TimeLimit {
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

/**
 * Gives what reading a request's body gives. A client that goes away within it is told nothing, but its request ends: as
 * one that is malformed, not as a failure of ours, and also where what unpacks the body would wait for the rest for ever.
 * @throws ServiceError 1210 when the body breaks off
 */
export function unlessBrokenOff<T>(request: IncomingMessage, read: () => Promise<T>): Promise<T> {
  if (hasBrokenOff(request)) return Promise.reject(brokenOff());
  return new Promise((resolve, reject) => {
    request.once('close', () => {
      if (hasBrokenOff(request)) reject(brokenOff());
    });
    read().then(resolve, (error: unknown) => reject(hasBrokenOff(request) ? brokenOff() : error));
  });
}

function hasBrokenOff({ destroyed, complete }: IncomingMessage): boolean {
  return destroyed && !complete;
}

function brokenOff(): Error {
  return malformed('The body breaks off');
}

const windowSeconds = 60;

/**
 * Makes what counts the requests of each user, over all processes, in minutes that begin with his first one, and tells
 * him what is left.
 * @throws (the function made) ServiceError 1260 past RATE_LIMIT
 */
export function createLimitRate({ config, redis }: Backing): (ctx: Context, principal: Principal) => Promise<void> {
  const { RATE_LIMIT: max, REDIS_PREFIX } = config;
  if (max === 0) return async () => undefined;
  const limiter = createLimiter(redis, { name: `${REDIS_PREFIX}:rate`, max, windowSeconds });
  return async (ctx, { userId }) => {
    const { isWithin, left, resetMs } = await limiter.count(userId.toHexString());
    ctx.set('RateLimit-Limit', String(max));
    ctx.set('RateLimit-Remaining', String(left));
    ctx.set('RateLimit-Reset', String(wholeSeconds(resetMs)));
    if (!isWithin) throw tooManyRequests('Too many requests in this minute; retry later', resetMs);
  };
}
