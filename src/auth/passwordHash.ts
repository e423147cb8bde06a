import { Algorithm, hash, verify } from '@node-rs/argon2';

// OWASP's minimum for argon2id: 19 MiB, two passes.
const cost = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password with argon2id and a salt of its own. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

let dummyHash: Promise<string> | undefined;

/**
 * Tells whether a password fits a stored hash. Without a hash (unknown user) the same work is done against a dummy, so
 * that the time of an answer does not tell which usernames exist.
 */
export async function passwordFits(stored: string | undefined, password: string): Promise<boolean> {
  if (stored !== undefined) return verify(stored, password);
  dummyHash ??= hashPassword('a password that nobody has');
  await verify(await dummyHash, password);
  return false;
}
