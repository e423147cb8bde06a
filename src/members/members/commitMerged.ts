import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { updateAll } from '#base/db/collections';
import type { Author } from '#base/db/records';
import { memberKeys } from '#records/members/find/memberKeys';
import { type Member, memberResource } from '#records/members/member';
import { placeholderLoyaltyId } from '#records/members/placeholderLoyaltyId';
import type { MergedProfile } from './mergedProfile';
import { personalFields } from './personalFields';

interface Committing {
  db: Connection;
  session: ClientSession;
  author: Author;
}

/**
 * Writes the profiles of a merge, the merged members first. A loyalty id is unique in the org, so a merged member must
 * lose it before the survivor gets it.
 */
export async function commitMerged(
  { db, session, author: { org } }: Committing,
  survivor: Member,
  merged: readonly Member[],
  profile: MergedProfile,
): Promise<void> {
  const earlier = merged.flatMap(({ mergeIds }) => mergeIds);
  const present = Object.entries(profile).filter(([, value]) => value !== undefined);
  const absent = Object.entries(profile).filter(([, value]) => value === undefined);
  const own = {
    $set: { ...Object.fromEntries(present), searchKeys: memberKeys({ ...survivor, ...profile }) },
    ...(absent.length > 0 ? { $unset: Object.fromEntries(absent.map(([field]) => [field, ''])) } : {}),
  };
  await updateAll(db, session, memberResource.path, [
    ...merged.map(({ _id }) => ({ q: { _id, org }, u: tombstone(_id, survivor._id) })),
    // `mergedInto` always names the last survivor, so that following it takes one step after any number of merges.
    { q: { _id: { $in: earlier }, org }, u: { $set: { mergedInto: survivor._id }, $inc: { version: 1 } }, multi: true },
    { q: { _id: survivor._id, org }, u: own },
  ]);
}

/** The update that makes a member a merged one. It removes personal data, which the survivor has now. */
export function tombstone(_id: ObjectId, mergedInto: ObjectId) {
  const loyaltyIDs = [placeholderLoyaltyId('merged', _id)];
  const searchKeys = memberKeys({ loyaltyIDs });
  return {
    $set: { status: 'Merged', mergedInto, loyaltyIDs, searchKeys, referrals: [], segments: [] },
    $unset: Object.fromEntries(personalFields.map((field) => [field, ''])),
  };
}
