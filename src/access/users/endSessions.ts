import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { sessionResource } from '#records/users/session';

/** Ends one session. Every process refuses its token from now on. */
export async function endSession(db: Connection, sessionId: ObjectId): Promise<void> {
  await collectionOf(db, sessionResource).deleteOne({ _id: sessionId });
}

/** Ends all sessions of a user but `except`. */
export async function endSessions(
  db: Connection,
  userId: ObjectId,
  except?: ObjectId,
  session?: ClientSession,
): Promise<void> {
  const others = except ? { user: userId, _id: { $ne: except } } : { user: userId };
  await collectionOf(db, sessionResource).deleteMany(others, session ? { session } : {});
}
