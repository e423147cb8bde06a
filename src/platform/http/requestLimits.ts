import { elapsedMs } from '#base/common/clock';
import { unavailable } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { createLimiter } from '#base/limits/limiter';
import { tooManyRequests, wholeSeconds } from '#base/limits/tooManyRequests';
import type { Principal } from '#platform/auth/principal';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { Context } from './requestState';

/** The time that is left to answer a request. The time in which the client sends its body does not count. */
export interface TimeLimit {
  /**
   * Returns the result of `work` when it is ready in the time that is left. Otherwise it throws. The work then
   * continues, and `discard` gets its result.
   */
  run<T>(work: () => Promise<T>, discard?: (result: T) => void): Promise<T>;
  /** When the time ends, as a value of `elapsedMs`, if it runs from now on without a pause. */
  endsAt(): number;
}

/**
 * Makes the time limit of a request.
 * @param onLate receives the error of work that fails after the time is over
 * @throws ServiceError 1310 from `run`, when the time is over
 */
export function startTimeLimit(maxMs: number, onLate: (error: unknown) => void): TimeLimit {
  let leftMs = maxMs;
  return {
    endsAt: () => elapsedMs() + leftMs,
    async run(work, discard) {
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
        done.then(
          (result) => isLate && discard?.(result),
          (error: unknown) => isLate && onLate(error),
        );
        return await Promise.race([done, late]);
      } finally {
        clearTimeout(timer);
        leftMs -= elapsedMs() - startedAt;
      }
    },
  };
}

function tooLate(): Error {
  return unavailable(message('http.noAnswerInTime'));
}

const windowSeconds = 60;

/** The greatest limit that a setting or an API key may have. */
const countedMax = 1_000_000;

/**
 * Makes the function that counts the requests of each user or API key, over all processes, and tells in headers how
 * many are left. A window of one minute begins with the first request in it. A key may have a limit of its own instead
 * of RATE_LIMIT.
 * @throws (the function made) ServiceError 1260 past the limit
 */
export function createLimitRate({
  config,
  redis,
}: Infrastructure): (ctx: Context, principal: Principal) => Promise<void> {
  const { RATE_LIMIT, REDIS_PREFIX } = config;
  const limiter = createLimiter(redis, { name: `${REDIS_PREFIX}:rate`, max: countedMax, windowSeconds });
  return async (ctx, { userId, apiKey }) => {
    const max = apiKey?.rateLimit ?? RATE_LIMIT;
    if (max === 0) return;
    const { isWithin, left, resetMs } = await limiter.count(userId.toHexString(), max);
    ctx.set('RateLimit-Limit', String(max));
    ctx.set('RateLimit-Remaining', String(left));
    ctx.set('RateLimit-Reset', String(wholeSeconds(resetMs)));
    if (!isWithin) throw tooManyRequests(message('http.tooManyRequests'), resetMs);
  };
}
