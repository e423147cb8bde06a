import type { ObjectId } from 'bson';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { Member } from '#records/members/member';
import { readMember } from './readMember';
import { settleMembers } from './settleMembers';

/**
 * Settles a member when something is due, and reads it.
 * @throws ServiceError 1500 when it is unknown; 1510 when it was merged or erased
 */
export async function settledMember(services: Infrastructure, org: ObjectId, id: ObjectId, now: Date): Promise<Member> {
  const member = await readMember(services.db, org, id);
  if (!member.nextDue || member.nextDue > now) return member;
  await settleMember(services, org, id, now);
  return readMember(services.db, org, id);
}

async function settleMember(
  services: Pick<Infrastructure, 'db' | 'clock' | 'ruleSets'>,
  org: ObjectId,
  memberId: ObjectId,
  now: Date,
): Promise<void> {
  await settleMembers(services, org, [memberId], now);
}
