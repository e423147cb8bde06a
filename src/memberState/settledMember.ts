import type { ObjectId } from 'bson';
import type { Backing } from '../backing';
import type { Member } from '../records/members/member';
import { readMember } from './readMember';
import { settleMember } from './settleMember';

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
