import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { keyedRequestResource } from './keyedRequest';

/**
 * Removes the bodies of stored answers about erased members. Their keys stay, so that a repeated request has no second
 * effect; it is answered with 410.
 */
export async function forgetAnswers(
  db: Connection,
  org: ObjectId,
  members: readonly ObjectId[],
  session?: ClientSession,
): Promise<void> {
  const about = { org, about: { $in: [...members] }, 'answer.body': { $exists: true } };
  const update = { $unset: { 'answer.body': '' } } as const;
  await collectionOf(db, keyedRequestResource).updateMany(about, update, session && { session });
}
