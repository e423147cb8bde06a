import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf, updateAll } from '#base/db/collections';
import { type Author, updateStamps } from '#base/db/records';
import { GuardFailed } from '#base/db/transaction';
import { finalSurvivor } from '#members/memberState/readMember';
import { type Member, memberResource } from '#records/members/member';
import { isOneOf } from './mergedFields';

type Referrals = Member['referrals'];

/** The referral fields of a survivor. */
export interface MergedReferrals {
  referrals: Referrals;
  referredBy: ObjectId | undefined;
}

interface Merging {
  db: Connection;
  session: ClientSession;
  author: Author;
  now: Date;
}

/**
 * Decides which referrals remain when several members become one. The survivor gets one referrer at most, and never
 * itself: the first with a completed referral, else the first of all, beginning with the survivor's own. Completed
 * referrals remain. Of the Pending ones only that of the chosen referrer remains; the others are removed, as they are
 * when `referredBy` changes.
 * @returns the fields of the survivor
 */
export async function mergeReferrals(
  merging: Merging,
  survivor: Member,
  merged: readonly Member[],
): Promise<MergedReferrals> {
  const members = [survivor, ...merged];
  const isOwn = isOneOf(members);
  const referrers = await readReferrers(merging, members, isOwn);
  const chosen = referrers.find(({ referrals }) => referrals.some(isCompleted(isOwn))) ?? referrers[0];
  await writeReferrers(
    merging,
    referrers.map(
      (each) => [each, remainingReferrals(each.referrals, isOwn, { survivor, keepsPending: each === chosen })] as const,
    ),
  );
  const referrals = remainingReferrals(
    members.flatMap((each) => each.referrals),
    isOwn,
    { survivor, keepsPending: false },
  );
  return { referrals, referredBy: chosen?._id };
}

/**
 * The other members that referred these, in the order of these, each once. A merged referrer is replaced by its
 * survivor.
 */
async function readReferrers({ db, session, author: { org } }: Merging, members: readonly Member[], isOwn: IsOwn) {
  const found = new Map<string, Member>();
  for (const { referredBy } of members) {
    if (!referredBy || isOwn(referredBy)) continue;
    const _id = await finalSurvivor(db, org, referredBy);
    const referrer = await collectionOf(db, memberResource).findOne({ org, _id }, { session });
    if (referrer && !isOwn(_id)) found.set(_id.toHexString(), referrer);
  }
  return [...found.values()];
}

type IsOwn = (id: ObjectId) => boolean;

const isCompleted =
  (isOwn: IsOwn) =>
  ({ referred, status }: Referrals[number]) =>
    status === 'Completed' && referred !== undefined && isOwn(referred);

/**
 * The referrals of a member after the merge. Of those to the members that become one, the completed ones remain, or
 * else at most one that is Pending.
 */
function remainingReferrals(
  referrals: Referrals,
  isOwn: IsOwn,
  { survivor, keepsPending }: { survivor: Member; keepsPending: boolean },
): Referrals {
  let mayKeep = keepsPending && !referrals.some(isCompleted(isOwn));
  return referrals.flatMap((each) => {
    if (!each.referred || !isOwn(each.referred)) return [each];
    const isKept = each.status === 'Completed' || mayKeep;
    mayKeep = false;
    return isKept ? [{ ...each, referred: survivor._id }] : [];
  });
}

async function writeReferrers(
  { db, session, author, now }: Merging,
  changes: readonly (readonly [Member, Referrals])[],
): Promise<void> {
  const updates = changes.map(([{ _id, version }, referrals]) => ({
    q: { _id, org: author.org, version },
    u: { $set: { referrals, ...updateStamps(author, now) }, $inc: { version: 1 } },
  }));
  const written = await updateAll(db, session, memberResource.path, updates);
  if (written !== updates.length) throw new GuardFailed('A referrer changed meanwhile');
}
