import { availableParallelism } from 'node:os';
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { createSlots } from '../limits/slots';

// OWASP's minimum for argon2id: 19 MiB, two passes.
const cost = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Half of the processors may hash at a time, so that logins leave room for everything else; a wait ends within what a request may take. */
export const hashLimits = {
  atOnce: Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2))),
  waitingMax: 100,
  waitMaxMs: 3000,
} as const;

/** A processor is the whole machine's, so all of this process share the slots. */
const slots = createSlots({ ...hashLimits, busyMessage: 'Too many passwords are looked at already; retry later' });

/**
 * Hashes a password with argon2id and a salt of its own.
 * @throws ServiceError 1310 when too many passwords wait to be hashed
 */
export function hashPassword(password: string): Promise<string> {
  return slots.run(() => hash(password, cost), true);
}

let dummyHash: Promise<string> | undefined;

/** A password to be looked at. */
export interface Guess {
  password: string;
  /** Of the user; without one (unknown user) the same work is done against a dummy, so that the time of an answer does not tell who exists. */
  passwordHash: string | undefined;
  /** Goes before others that wait. */
  isPreferred: boolean;
  /** Asked once its turn has come, before the password is looked at; what it throws ends the guess. */
  admit(): Promise<void>;
}

/**
 * Tells whether a password fits a stored hash.
 * @throws what `admit` throws; ServiceError 1310 when too many passwords wait to be looked at
 */
export async function passwordFits({ password, passwordHash, isPreferred, admit }: Guess): Promise<boolean> {
  dummyHash ??= hash('a password that nobody has', cost);
  const expected = passwordHash ?? (await dummyHash);
  const fits = await slots.run(async () => {
    await admit();
    return verify(expected, password);
  }, isPreferred);
  return fits && passwordHash !== undefined;
}
