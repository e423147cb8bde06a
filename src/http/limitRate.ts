import type { Principal } from '../auth/authenticate';
import type { Backing } from '../backing/backing';
import { createLimiter } from '../limits/limiter';
import { tooMany, wholeSeconds } from '../limits/tooMany';
import type { Context } from './state';

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
    if (!isWithin) throw tooMany('Too many requests in this minute; retry later', resetMs);
  };
}
