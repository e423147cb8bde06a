import type { ObjectId } from 'bson';
import { notFound } from '#base/common/errors';
import { collectionOf, insertAll, updateAll } from '#base/db/collections';
import { type Author, newStamps, updateStamps } from '#base/db/records';
import { GuardFailed, inTransaction, withRetries } from '#base/db/transaction';
import { removeMember } from '#members/accounts/unlinkMember';
import { requirePresent } from '#members/memberState/readMember';
import { audit } from '#platform/audit/audit';
import type { Auditor } from '#platform/audit/auditor';
import { writeEvents } from '#platform/events/writeEvents';
import { forgetAnswers } from '#platform/http/keys/forgetAnswers';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { toMachineClock } from '#platform/orgs/orgClock';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { followUpResource } from '#records/members/followUp';
import { memberResource } from '#records/members/member';
import { placeholderLoyaltyId } from '#records/members/placeholderLoyaltyId';
import { forgetRefused } from './forgetRefused';
import { personalFields } from './personalFields';

/**
 * Removes all personal data from a member and from the members that were merged into it. The ledger stays, so that the
 * totals of the program still agree (docs/design/members.md). The job `members` later removes personal data from the
 * activity histories.
 * @throws ServiceError 1500 when the member is unknown, 1510 when it was merged or erased before
 */
export async function eraseMember(
  { db, clock }: Pick<Infrastructure, 'db' | 'clock'>,
  author: Auditor,
  id: ObjectId,
): Promise<void> {
  const { org } = author;
  const attempt = async () => {
    const now = clock.now();
    const member = await collectionOf(db, memberResource).findOne({ org, _id: id });
    if (!member) throw notFound('Member');
    await requirePresent(db, member);
    await inTransaction(db, async (session) => {
      const { version } = member;
      const own = { q: { org, _id: id, version }, u: erasure(id, author, now, { status: 'Erased' }) };
      const merged = member.mergeIds.map((_id) => ({ q: { org, _id }, u: erasure(_id, author, now) }));
      const found = await updateAll(db, session, memberResource.path, [own, ...merged]);
      if (found !== merged.length + 1) throw new GuardFailed('The member changed meanwhile');
      await removeMember(db, author, id, now, session);
      await forgetAnswers(db, org, [id, ...member.mergeIds], session);
      await forgetRefused(db, member, session);
      const followUp = { ...newStamps(author, now, id), after: 'erase', since: now };
      await insertAll(db, session, followUpResource.path, [followUp]);
      const { program, mergeIds } = member;
      const erased = { type: 'member.erased' as const, program, member: id, data: { merged: mergeIds } };
      await writeEvents(db, session, author, now, [erased]);
      // The entry has only the id, because entries are never removed from the audit log.
      const change = { action: 'erase', resource: memberResource.path, id };
      await audit(db, session, author, toMachineClock(clock).now(), [change]);
    });
  };
  await serializedPerOrg(db, org, () => withRetries(attempt, { now: () => clock.now().getTime() }));
}

/** Codes that the service generated are replaced instead of removed, because they are required and unique. */
function erasure(id: ObjectId, author: Author, now: Date, status: { status?: 'Erased' } = {}) {
  const code = placeholderLoyaltyId('erased', id);
  return {
    $set: {
      loyaltyID: code,
      loyaltyIDs: [code],
      referralCode: code,
      referrals: [],
      segments: [],
      searchKeys: [],
      ...status,
      ...updateStamps(author, now),
    },
    $unset: Object.fromEntries(personalFields.map((field) => [field, ''])),
    $inc: { version: 1 },
  };
}
