import { hash, randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { signInCodeResource } from '#records/users/signInCode';
import { type User, userResource } from '#records/users/user';

/** How long a code may be exchanged for a token, in milliseconds. */
const lastsMs = 60_000;

/** Makes a code for a user who has signed in at the provider. Only its hash is stored. */
export async function makeSignInCode(db: Connection, { _id: user, org }: User, now: Date): Promise<string> {
  const code = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + lastsMs);
  const made = { ...newStamps({ org, userId: user }, now), user, codeHash: hashSignInCode(code), expiresAt };
  await collectionOf(db, signInCodeResource).insertOne(made);
  return code;
}

/**
 * Uses a code up and returns its user. Of several requests with the same code, one gets the user.
 * @throws ServiceError 1110 when the code is unknown, used or too old, or the user is no longer active
 */
export async function useSignInCode(db: Connection, code: string, now: Date): Promise<User> {
  const found = await collectionOf(db, signInCodeResource).findOneAndDelete({ codeHash: hashSignInCode(code) });
  const isValid = found !== null && now < found.expiresAt;
  const user = isValid ? await collectionOf(db, userResource).findOne({ _id: found.user, org: found.org }) : null;
  if (!user?.isActive) throw new ServiceError('loginIncorrect', message('users.codeNotValid'));
  return user;
}

function hashSignInCode(code: string): string {
  return hash('sha256', code, 'base64url');
}
