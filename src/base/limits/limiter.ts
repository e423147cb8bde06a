import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** A limit: at most `max` attempts for each key in a time window. The window begins with the first attempt. */
export interface LimiterOptions {
  /** Prefix of the keys in Redis. */
  name: string;
  max: number;
  windowSeconds: number;
}

/** The use of a limit by one key. */
export interface LimiterState {
  isWithin: boolean;
  /** How many attempts are left in this window. */
  left: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
}

/** Counts attempts of all processes in Redis. While Redis is unavailable, each process counts its own. */
export interface Limiter {
  /**
   * Counts one more attempt, atomically, and tells whether it is within the limit.
   * @param ownMax a smaller limit of this key
   */
  count(key: string, ownMax?: number): Promise<LimiterState>;
  /** Tells whether one more attempt would be within the limit, without counting it. */
  look(key: string): Promise<LimiterState>;
  /** Removes one counted attempt. */
  uncount(key: string): Promise<void>;
}

/** Makes a limiter. It never fails, and waits for Redis at most as long as the connection's command timeout. */
export function createLimiter(redis: Redis, { name, max, windowSeconds }: LimiterOptions): Limiter {
  const options = { keyPrefix: name, points: max, duration: windowSeconds };
  const limiter = new RateLimiterRedis({
    ...options,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(options),
  });
  return {
    count: async (key, ownMax = max) => limiterState(await limiter.consume(key).catch(onlyRefused), ownMax, 0),
    look: async (key) => limiterState(await limiter.get(key), max, 1),
    uncount: async (key) => void (await limiter.reward(key)),
  };
}

/** Returns the result that the library throws when the limit is exceeded; throws real errors again. */
function onlyRefused(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}

function limiterState(counted: RateLimiterRes | null, max: number, more: number): LimiterState {
  const { consumedPoints = 0, msBeforeNext = 0 } = counted ?? {};
  return {
    isWithin: consumedPoints + more <= max,
    left: Math.max(0, max - consumedPoints),
    resetMs: Math.max(0, msBeforeNext),
  };
}
