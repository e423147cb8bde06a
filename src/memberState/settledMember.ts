import type { ObjectId } from 'bson';
import type { Backing } from '../backing/backing';
import type { Member } from '../records/members/member';
import { readMember } from './readMember';
import { settleMembers } from './settleMembers';

/**
 * Reads a member whose ledger is up to date: lots whose escrow or expiry is past are released or expired first.
 * @throws ServiceError 1500, 1510 when it is gone
 */
export async function settledMember(services: Backing, org: ObjectId, id: ObjectId, now: Date): Promise<Member> {
  const member = await readMember(services.db, org, id);
  if (!member.nextDue || member.nextDue > now) return member;
  await settleMember(services, org, id, now);
  return readMember(services.db, org, id);
}

/** Releases and expires what is due for one member; nothing when nothing is. */
async function settleMember(
  services: Pick<Backing, 'db' | 'clock'>,
  org: ObjectId,
  memberId: ObjectId,
  now: Date,
): Promise<void> {
  await settleMembers(services, org, [memberId], now);
}
