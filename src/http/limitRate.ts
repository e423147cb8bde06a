import type { Principal } from '../auth/principal';
import { ServiceError } from '../errors';
import type { Services } from '../services';
import type { Context } from './state';

const windowMs = 60_000;

/**
 * Counts the request of a user within the present minute, over all processes, and tells him what is left. Without Redis
 * nothing is counted: a limit that protects the service must not take it down.
 * @throws ServiceError 1260 past RATE_LIMIT
 */
export async function limitRate(ctx: Context, services: Services, { userId }: Principal): Promise<void> {
  const { config, clock, redis } = services;
  if (config.RATE_LIMIT === 0) return;
  const now = clock.now().getTime();
  const key = `${config.REDIS_PREFIX}:rate:${userId.toHexString()}:${Math.floor(now / windowMs)}`;
  const results = await redis
    .multi()
    .incr(key)
    .pexpire(key, 2 * windowMs)
    .exec()
    .catch(() => null);
  const count = Number(results?.[0]?.[1] ?? 0);
  const secondsLeft = Math.ceil((windowMs - (now % windowMs)) / 1000);
  ctx.set('RateLimit-Limit', String(config.RATE_LIMIT));
  ctx.set('RateLimit-Remaining', String(Math.max(0, config.RATE_LIMIT - count)));
  ctx.set('RateLimit-Reset', String(secondsLeft));
  if (count <= config.RATE_LIMIT) return;
  throw new ServiceError('rateLimited', 'Too many requests in this minute; retry later', {
    headers: { 'Retry-After': String(secondsLeft) },
  });
}
