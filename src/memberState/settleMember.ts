import type { ObjectId } from 'bson';
import type { Backing } from '../backing';
import { settleMembers } from './settleMembers';

/** Releases and expires what is due for one member; nothing when nothing is. */
export async function settleMember(
  services: Pick<Backing, 'db' | 'clock'>,
  org: ObjectId,
  memberId: ObjectId,
  now: Date,
): Promise<void> {
  await settleMembers(services, org, [memberId], now);
}
