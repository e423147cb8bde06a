import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { type Author, updateStamps } from '#base/db/records';
import { GuardFailed } from '#base/db/transaction';
import { finalSurvivor } from '#members/memberState/readMember';
import { type Member, memberResource, referralsMax } from '#records/members/member';

interface Referral extends Pick<Member, '_id' | 'program'> {
  referredBy: ObjectId;
}

/**
 * Adds a member to the referrals of its referrer, as a Pending referral that a rule may complete. When the referrer was
 * merged, its survivor gets the referral. Nothing is stored when the referrer belongs to another program, is erased, or
 * already has {@link referralsMax} referrals. Such a referral is never completed.
 * @throws GuardFailed when the referrer changed in the meantime
 */
export async function noteReferral(
  db: Connection,
  session: ClientSession,
  author: Author,
  { _id: referred, program, referredBy }: Referral,
  now: Date,
): Promise<void> {
  const { org } = author;
  const members = collectionOf(db, memberResource);
  const _id = await finalSurvivor(db, org, referredBy);
  const referrer = await members.findOne({ _id, org, program, status: { $ne: 'Erased' } }, { session });
  if (!referrer || referrer.referrals.length >= referralsMax) return;
  const { referralCode: code, version } = referrer;
  const update = {
    $push: { referrals: { code, status: 'Pending' as const, referred } },
    $set: updateStamps(author, now),
    $inc: { version: 1 },
  };
  const { matchedCount } = await members.updateOne({ _id, org, version }, update, { session });
  if (matchedCount === 0) throw new GuardFailed('the referrer changed meanwhile');
}
