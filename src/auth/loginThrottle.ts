import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createLimiter, type Limiter } from '../limits/limiter';
import { tooManyRequests } from '../limits/tooMany';

const windowSeconds = 15 * 60;

/** How many failures in 15 minutes stop further attempts. */
export const loginLimits = { nameMax: 10, addressMax: 100, windowSeconds } as const;

/** Somebody who wants to log in. */
export interface Attempt {
  username: string;
  /** Where he is, as `clientNetwork` gives it. */
  network: string;
  /** This username has logged in from there before: it is then counted apart from those who try it from elsewhere. */
  isKnown: boolean;
}

/**
 * Counts attempts of a username and of an address, whether the username exists or not. Attempts count from before the
 * password is looked at until they have succeeded, so what is counted are failures and what is looked at right now.
 */
export interface LoginThrottle {
  /** Counts nothing. @throws ServiceError 1260 when an attempt would be refused */
  refuseFull(attempt: Attempt): Promise<void>;
  /** Counts an attempt, atomically. @throws ServiceError 1260, and nothing is counted, when too many have failed */
  count(attempt: Attempt): Promise<void>;
  /** Takes back an attempt that has succeeded. */
  uncount(attempt: Attempt): Promise<void>;
}

/** Makes the throttle of a process; all processes with the same Redis and prefix count together. */
export function createLoginThrottle(redis: Redis, prefix: string): LoginThrottle {
  const limiter = (name: string, max: number) =>
    createLimiter(redis, { name: `${prefix}:login:${name}`, max, windowSeconds });
  const names = limiter('name', loginLimits.nameMax);
  const known = limiter('known', loginLimits.nameMax);
  const networks = limiter('network', loginLimits.addressMax);

  const countersOf = ({ username, network, isKnown }: Attempt): Counter[] => [
    { limiter: networks, key: keyOf([network]) },
    isKnown ? { limiter: known, key: keyOf([username, network]) } : { limiter: names, key: keyOf([username]) },
  ];
  const giveBack = async (attempt: Attempt) => {
    await Promise.all(countersOf(attempt).map(({ limiter: { uncount: giveBack }, key }) => giveBack(key)));
  };
  return {
    uncount: giveBack,
    refuseFull: (attempt) => requireWithin(countersOf(attempt).map(({ limiter: { look }, key }) => look(key))),
    async count(attempt) {
      try {
        await requireWithin(countersOf(attempt).map(({ limiter: { count }, key }) => count(key)));
      } catch (error) {
        await giveBack(attempt);
        throw error;
      }
    },
  };
}

interface Counter {
  limiter: Limiter;
  key: string;
}

async function requireWithin(asked: ReturnType<Limiter['count']>[]): Promise<void> {
  const refused = (await Promise.all(asked)).filter(({ isWithin }) => !isWithin);
  if (refused.length === 0) return;
  throw tooManyRequests('Too many failed logins; retry later', Math.max(...refused.map(({ resetMs }) => resetMs)));
}

/** A hash, since people type passwords into the wrong field. */
function keyOf(parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
