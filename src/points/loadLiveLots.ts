import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/resource';
import { accrualItemResource } from './accrualItem';
import type { Lot } from './lot';

/** The states of accrual items that still hold points: in escrow or available. */
export const liveStates: Lot['state'][] = ['escrow', 'available'];

/**
 * The accrual items of members that still hold points, and those that `also` selects, by hexadecimal member id; a
 * member without any has an empty list.
 */
export async function loadLiveLots(
  db: Connection,
  org: ObjectId,
  members: readonly ObjectId[],
  also: readonly Record<string, unknown>[] = [],
): Promise<Map<string, Lot[]>> {
  const byMember = new Map<string, Lot[]>(members.map((id) => [id.toHexString(), []]));
  if (members.length === 0) return byMember;
  const live = { member: { $in: [...members] }, state: { $in: liveStates } };
  const lots = await collectionOf(db, accrualItemResource)
    .find({ org, ...(also.length > 0 ? { $or: [live, ...also] } : live) })
    .toArray();
  for (const lot of lots) byMember.get(lot.member.toHexString())?.push(lot);
  return byMember;
}
