import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { signToken } from '#platform/auth/token';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { sessionResource } from '#records/users/session';

/**
 * Starts a session of a user and returns its token.
 * @param lastsSeconds lifetime of token and session in seconds
 */
export async function startSession(
  { db, tokenKey }: Pick<Infrastructure, 'db' | 'tokenKey'>,
  user: { _id: ObjectId; org: ObjectId },
  now: Date,
  lastsSeconds: number,
): Promise<string> {
  const author = { org: user.org, userId: user._id };
  const expiresAt = new Date(now.getTime() + lastsSeconds * 1000);
  const session = { ...newStamps(author, now, new ObjectId()), user: user._id, expiresAt };
  await collectionOf(db, sessionResource).insertOne(session);
  return signToken(tokenKey, { ...author, sessionId: session._id }, now, expiresAt);
}
