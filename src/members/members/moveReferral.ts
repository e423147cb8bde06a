import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { type Author, updateStamps } from '#base/db/records';
import { finalSurvivor } from '#members/memberState/readMember';
import type { CompanionWrite } from '#platform/orgs/writeRecord';
import type { WriteContext } from '#platform/recordWrites/writeContext';
import { type Member, memberResource } from '#records/members/member';
import { noteReferral } from './noteReferral';

/**
 * Refuses a member, or one that was merged into it, as the head of its own family: it would share its awards with
 * itself.
 * @throws ServiceError 1200
 */
export function requireOtherHead(previous: Member | undefined, { familyHead }: Partial<Member>): void {
  if (!previous || !familyHead || !isReferralOf({ referred: familyHead }, previous)) return;
  // Such a head may be stored already: by an earlier version, or by a merge with the head. Clients may send it back
  // unchanged.
  if (previous.familyHead?.equals(familyHead)) return;
  throw invalidField('familyHead', 'reference', message('members.refersItself'));
}

/**
 * Refuses a changed or cleared `referredBy` when it names the member itself, or when a rule has completed the referral.
 * @throws ServiceError 1200
 */
export async function requireReferable(
  db: Connection,
  previous: Member | undefined,
  change: Partial<Member>,
): Promise<void> {
  if (!previous || !changesReferrer(previous, change)) return;
  const { referredBy: referred } = change;
  if (referred && isReferralOf({ referred }, previous))
    throw invalidField('referredBy', 'reference', message('members.refersOneself'));
  const referrer = previous.referredBy && (await readSurvivor(db, previous.org, previous.referredBy));
  const isCompleted = referrer?.referrals.some((each) => each.status === 'Completed' && isReferralOf(each, previous));
  if (isCompleted) throw invalidField('referredBy', 'readOnly', message('members.referralCompleted'));
}

/**
 * Moves the Pending referral from the old referrer to the new one, if any, in the transaction of the update.
 * @returns undefined when `referredBy` does not change
 */
export function moveReferral(
  previous: Member,
  change: Partial<Member>,
  { services: { db }, principal, now }: WriteContext,
): CompanionWrite | undefined {
  if (!changesReferrer(previous, change)) return undefined;
  const { referredBy } = change;
  return async (session) => {
    await forgetReferral(db, session, principal, previous, now);
    if (referredBy) await noteReferral(db, session, principal, { ...previous, referredBy }, now);
  };
}

async function forgetReferral(db: Connection, session: ClientSession, author: Author, member: Member, now: Date) {
  const { org } = author;
  const referrer = member.referredBy && (await readSurvivor(db, org, member.referredBy, session));
  if (!referrer) return;
  const referrals = referrer.referrals.filter(
    (referral) => referral.status !== 'Pending' || !isReferralOf(referral, member),
  );
  if (referrals.length === referrer.referrals.length) return;
  const update = { $set: { referrals, ...updateStamps(author, now) }, $inc: { version: 1 } };
  await collectionOf(db, memberResource).updateOne({ _id: referrer._id, org }, update, { session });
}

async function readSurvivor(db: Connection, org: ObjectId, id: ObjectId, session?: ClientSession) {
  const _id = await finalSurvivor(db, org, id);
  return collectionOf(db, memberResource).findOne({ org, _id }, session && { session });
}

/** Tells whether a change replaces or removes the referrer. */
function changesReferrer({ referredBy: before }: Member, change: Partial<Member>): boolean {
  if (!('referredBy' in change)) return false;
  return change.referredBy ? !before?.equals(change.referredBy) : before !== undefined;
}

/** Tells whether a referral is the member's, under its own id or the id of a member merged into it. */
function isReferralOf({ referred }: { referred?: ObjectId }, { _id, mergeIds }: Member): boolean {
  return [_id, ...mergeIds].some((id) => referred?.equals(id));
}
