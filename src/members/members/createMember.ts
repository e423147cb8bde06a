import type { ClientSession, Connection } from 'mongoose';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { readDuplicateKey } from '#base/db/readDuplicateKey';
import type { Author } from '#base/db/records';
import { type InCommit, inTransaction, type LookUp, withRetries } from '#base/db/transaction';
import { soughtForms } from '#base/schema/findable';
import { wantedInForce } from '#members/occasions/wantedOccasions';
import { firstTiers } from '#members/tiers/firstTiers';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { OrgVersions } from '#platform/orgs/orgVersions';
import { readPursePolicies } from '#programs/programs/readPursePolicies';
import { requirePastBirthDate } from '#records/members/birthDate';
import { type Member, memberResource } from '#records/members/member';
import type { NewMember } from './memberBody';
import { newMember } from './newMember';
import { hasMembersRecorded } from './recordFirstMember';
import { requireReferences } from './requireReferences';
import { type MemberToStore, storeMembers } from './storeMembers';

const attemptsMax = 3;

/**
 * Most attempts to store a referred member. When many members name one referrer at the same time, only one of them is
 * stored in each round of attempts.
 */
export const referralAttemptsMax = 30;

/**
 * Creates a member of a program of the author's org. The member gets an empty purse for every purse policy of the
 * program, and the tiers that every member has.
 * @throws ServiceError 1200 when the program or referrer is unknown, the loyaltyID is taken, or the birth date is in
 *   the future
 */
export async function createMember(
  { db, ruleSets }: Pick<Infrastructure, 'db' | 'ruleSets'>,
  author: Author & { versions?: OrgVersions },
  body: NewMember,
  now: Date,
  inCommit?: InCommit<Member>,
): Promise<Member> {
  requirePastBirthDate(body, now);
  await requireReferences(db, author.org, body);
  await requireNoOtherForm(db, author, body);
  const policies = await readPursePolicies(db, author.org, body.program);
  const tiers = await firstTiers(db, author.org, body.program, now);
  const isWanted = (await wantedInForce({ db, ruleSets }, author, now))(body.program)?.has('MemberEnrolled') ?? false;
  for (let attempt = 1; ; attempt += 1) {
    const member = { ...newMember(author, body, policies, now), ...tiers.fields };
    try {
      await withRetries(() => insertMember(db, author, { member, changes: tiers.changes, isWanted }, inCommit), {
        attemptsMax: referralAttemptsMax,
      });
      return member;
    } catch (error) {
      const key = readDuplicateKey(error);
      // Two requests with the same loyaltyID may run at once: the second one fails on the unique index.
      if (!key) throw error;
      if (key.has('loyaltyIDs') && body.loyaltyID !== undefined) throw takenLoyaltyId();
      // A generated code exists already, which is improbable. The next attempt generates another one.
      if (attempt >= attemptsMax) throw error;
    }
  }
}

/**
 * Refuses a loyalty id that an earlier version stored in another Unicode form, which the unique index does not notice.
 * An id in ASCII has only one form and is not looked up.
 */
async function requireNoOtherForm(db: Connection, { org }: Author, { loyaltyID = '' }: NewMember): Promise<void> {
  const forms = soughtForms(loyaltyID);
  if (forms.length === 1) return;
  const taken = await collectionOf(db, memberResource).countDocuments(
    { org, loyaltyIDs: { $in: forms } },
    { limit: 1 },
  );
  if (taken > 0) throw takenLoyaltyId();
}

/** The error of a new member with a loyalty id that is taken. */
export function takenLoyaltyId() {
  return invalidField('loyaltyID', 'unique', message('members.idUsed'));
}

async function insertMember(
  db: Connection,
  author: Author,
  made: MemberToStore,
  inCommit: InCommit<Member> | undefined,
): Promise<void> {
  const { member } = made;
  const isFirst = !(await hasMembersRecorded(db, member));
  const isStored: LookUp = async (session) =>
    (await collectionOf(db, memberResource).countDocuments({ _id: member._id, org: author.org }, { session })) > 0;
  const store = async (session: ClientSession) => {
    await storeMembers(db, session, author, [made], isFirst ? [member.program] : []);
    await inCommit?.(member, session);
  };
  await inTransaction(db, store, isStored);
}
