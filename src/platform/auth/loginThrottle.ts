import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { message } from '#base/common/messages/message';
import { createLimiter, type Limiter } from '#base/limits/limiter';
import { tooManyRequests } from '#base/limits/tooManyRequests';
import { folded } from '#base/schema/findable';

const windowSeconds = 15 * 60;

/** The most failed logins in 15 minutes, for one username and for one network. Further attempts are refused. */
export const loginLimits = { nameMax: 10, addressMax: 100, windowSeconds } as const;

/** One attempt to log in. */
export interface Attempt {
  username: string;
  /** The client's network, from `clientNetwork`. */
  network: string;
  /**
   * True when this user has logged in from this network before. Such attempts have a counter of their own, so that
   * failures from other networks do not lock the user out.
   */
  isKnown: boolean;
}

/**
 * Counts login attempts by username and by network, whether the username exists or not. An attempt is counted before
 * its password is verified and removed when it succeeds. So the counters hold failures and attempts in progress.
 */
export interface LoginThrottle {
  /** Checks the limits without counting the attempt. @throws ServiceError 1260 when a limit is reached */
  refuseFull(attempt: Attempt): Promise<void>;
  /** Counts an attempt. @throws ServiceError 1260 when a limit is exceeded; then the attempt is not counted */
  count(attempt: Attempt): Promise<void>;
  /** Removes a successful attempt from the counters. */
  uncount(attempt: Attempt): Promise<void>;
}

/** Makes the throttle of a process. All processes with the same Redis and prefix share the counters. */
export function createLoginThrottle(redis: Redis, prefix: string): LoginThrottle {
  const limiter = (name: string, max: number) =>
    createLimiter(redis, { name: `${prefix}:login:${name}`, max, windowSeconds });
  const names = limiter('name', loginLimits.nameMax);
  const known = limiter('known', loginLimits.nameMax);
  const networks = limiter('network', loginLimits.addressMax);

  const countersOf = ({ username: typed, network, isKnown }: Attempt): Counter[] => {
    const username = folded(typed);
    return [
      { limiter: networks, key: throttleKey([network]) },
      isKnown
        ? { limiter: known, key: throttleKey([username, network]) }
        : { limiter: names, key: throttleKey([username]) },
    ];
  };
  const uncount = async (attempt: Attempt) => {
    await Promise.all(countersOf(attempt).map(({ limiter, key }) => limiter.uncount(key)));
  };
  return {
    uncount,
    refuseFull: (attempt) => requireWithin(countersOf(attempt).map(({ limiter: { look }, key }) => look(key))),
    async count(attempt) {
      try {
        await requireWithin(countersOf(attempt).map(({ limiter: { count }, key }) => count(key)));
      } catch (error) {
        await uncount(attempt);
        throw error;
      }
    },
  };
}

interface Counter {
  limiter: Limiter;
  key: string;
}

async function requireWithin(counts: ReturnType<Limiter['count']>[]): Promise<void> {
  const refused = (await Promise.all(counts)).filter(({ isWithin }) => !isWithin);
  if (refused.length === 0) return;
  throw tooManyRequests(message('auth.tooManyLogins'), Math.max(...refused.map(({ resetMs }) => resetMs)));
}

/** Makes a counter key. The key is a hash, because users sometimes type a password as their username. */
function throttleKey(parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
