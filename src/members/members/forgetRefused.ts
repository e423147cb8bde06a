import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { soughtForms } from '#base/schema/findable';
import { refusedActivityResource } from '#records/activities/refusedActivity';
import type { Member } from '#records/members/member';

/** Deletes the refused activities that name an erased member. They had no effect, so nothing else needs them. */
export async function forgetRefused(
  db: Connection,
  { org, _id, mergeIds, loyaltyIDs }: Pick<Member, 'org' | '_id' | 'mergeIds' | 'loyaltyIDs'>,
  session?: ClientSession,
): Promise<void> {
  const named = [{ memberID: { $in: [_id, ...mergeIds] } }, { loyaltyID: { $in: loyaltyIDs.flatMap(soughtForms) } }];
  await collectionOf(db, refusedActivityResource).deleteMany({ org, $or: named }, session ? { session } : {});
}
