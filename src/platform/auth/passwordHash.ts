import { availableParallelism } from 'node:os';
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { message } from '#base/common/messages/message';
import { createSemaphore } from '#base/limits/semaphore';
import { soughtForms } from '#base/schema/findable';

// OWASP's minimum for argon2id: 19 MiB, two passes.
const cost = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * At most half of the processors, and at most 4, hash at the same time, so that logins leave room for other requests.
 * `waitMaxMs` is less than the time limit of a request.
 */
export const hashLimits = {
  atOnce: Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2))),
  waitingMax: 100,
  waitMaxMs: 3000,
} as const;

/** All calls in this process share the slots, because they share the processors. */
const semaphore = createSemaphore({ ...hashLimits, busyMessage: message('auth.tooManyPasswords') });

/**
 * Hashes a password with argon2id and a new salt.
 * @throws ServiceError 1310 when too many passwords wait to be hashed
 */
export function hashPassword(password: string): Promise<string> {
  return semaphore.run(() => hash(password.normalize('NFC'), cost), true);
}

let dummyHash: Promise<string> | undefined;

/** A password to verify. */
export interface Guess {
  password: string;
  /**
   * The stored hash of the user. For an unknown user it is undefined and a dummy hash takes its place, so that the time
   * of an answer does not tell whether the user exists.
   */
  passwordHash: string | undefined;
  /** True to verify this password before others that wait. */
  isPreferred: boolean;
  /** Called after the wait, just before the password is verified. An error that it throws ends the call. */
  admit(): Promise<void>;
}

/**
 * Tells whether a password matches a stored hash.
 * @throws the error of `admit`; ServiceError 1310 when too many passwords wait to be verified
 */
export async function passwordFits({ password, passwordHash, isPreferred, admit }: Guess): Promise<boolean> {
  dummyHash ??= hash('a password that nobody has', cost);
  const expected = passwordHash ?? (await dummyHash);
  const fits = await semaphore.run(async () => {
    await admit();
    // The forms of Unicode are one password. Earlier versions hashed it as it was typed.
    for (const form of soughtForms(password)) if (await verify(expected, form)) return true;
    return false;
  }, isPreferred);
  return fits && passwordHash !== undefined;
}
