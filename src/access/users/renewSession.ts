import type { ObjectId } from 'bson';
import { hourMs } from '#base/common/durations';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { signToken, unauthenticated } from '#platform/auth/token';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { sessionResource } from '#records/users/session';

/** How long renewals keep a session, in hours since the login. */
const sessionMaxHours = 12;

/** Whose session is renewed, when, and for how long. */
interface Renewal {
  org: ObjectId;
  userId: ObjectId;
  sessionId: ObjectId;
  now: Date;
  lastsSeconds: number;
}

/**
 * Lets a session last longer and returns a new token of it. The token before stays valid until its own end.
 * @throws ServiceError 1120 when the session has ended in the meantime
 */
export async function renewSession(
  { db, tokenKey }: Pick<Infrastructure, 'db' | 'tokenKey'>,
  { org, userId, sessionId, now, lastsSeconds }: Renewal,
): Promise<string> {
  const sessions = collectionOf(db, sessionResource);
  const session = await sessions.findOne({ _id: sessionId });
  if (!session) throw unauthenticated(message('auth.sessionEnded'));
  const latest = session.createdAt.getTime() + sessionMaxHours * hourMs;
  const expiresAt = new Date(Math.min(now.getTime() + lastsSeconds * 1000, latest));
  // A renewal never shortens a session: TOKEN_TTL may be longer than the bound of renewals.
  if (expiresAt <= session.expiresAt) return signToken(tokenKey, { org, userId, sessionId }, now, session.expiresAt);
  const { matchedCount } = await sessions.updateOne({ _id: sessionId }, { $set: { expiresAt } });
  if (matchedCount === 0) throw unauthenticated(message('auth.sessionEnded'));
  return signToken(tokenKey, { org, userId, sessionId }, now, expiresAt);
}
