import type { ObjectId } from 'bson';
import type { Services } from '../services';
import { settleMembers } from './settleMembers';

/** Releases and expires what is due for one member; nothing when nothing is. */
export async function settleMember(
  services: Pick<Services, 'db' | 'clock'>,
  org: ObjectId,
  memberId: ObjectId,
  now: Date,
): Promise<void> {
  await settleMembers(services, org, [memberId], now);
}
