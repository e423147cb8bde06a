import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** What is limited: how many in a window of time, which begins with the first one. */
export interface LimiterOptions {
  /** Begins the keys in Redis. */
  name: string;
  max: number;
  windowSeconds: number;
}

/** How far a limit is used up. */
export interface LimiterState {
  isWithin: boolean;
  /** How many are left in this window. */
  left: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
}

/** Counts over all processes, in Redis; while Redis is away each process counts for itself. */
export interface Limiter {
  /** Counts one more, atomically, and tells whether it is still within the limit. */
  count(key: string): Promise<LimiterState>;
  /** Tells whether one more would be within the limit, and counts nothing. */
  look(key: string): Promise<LimiterState>;
  /** Takes one back that was counted. */
  uncount(key: string): Promise<void>;
}

/** Makes a limiter. It waits no longer for Redis than the connection lets a command wait, and never fails. */
export function createLimiter(redis: Redis, { name, max, windowSeconds }: LimiterOptions): Limiter {
  const options = { keyPrefix: name, points: max, duration: windowSeconds };
  const limiter = new RateLimiterRedis({
    ...options,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(options),
  });
  return {
    count: async (key) => usageOf(await limiter.consume(key).catch(onlyRefused), max, 0),
    look: async (key) => usageOf(await limiter.get(key), max, 1),
    uncount: async (key) => void (await limiter.reward(key)),
  };
}

/** The library throws what is no error when the limit is passed. */
function onlyRefused(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}

function usageOf(counted: RateLimiterRes | null, max: number, more: number): LimiterState {
  const { consumedPoints = 0, msBeforeNext = 0 } = counted ?? {};
  return {
    isWithin: consumedPoints + more <= max,
    left: Math.max(0, max - consumedPoints),
    resetMs: Math.max(0, msBeforeNext),
  };
}
