import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { accrualItemResource } from '../records/points/accrualItem';
import type { Lot } from '../records/points/lot';

/** The states of accrual items that still hold points: in escrow or available. */
export const liveStates: Lot['state'][] = ['escrow', 'available'];

/** What else is read, and how. */
export interface LotsOptions {
  /** Filters of lots to be read beside the live ones. */
  also?: readonly Record<string, unknown>[];
  /** The survivor of each merged member, by its hexadecimal id: spent lots that have not followed yet are his. */
  survivors?: ReadonlyMap<string, ObjectId>;
  session?: ClientSession;
}

/**
 * The accrual items of members that still hold points, and those that `also` selects, by hexadecimal member id; a
 * member without any has an empty list.
 */
export async function loadLiveLots(
  db: Connection,
  org: ObjectId,
  members: readonly ObjectId[],
  { also = [], survivors = new Map(), session }: LotsOptions = {},
): Promise<Map<string, Lot[]>> {
  const byMember = new Map<string, Lot[]>(members.map((id) => [id.toHexString(), []]));
  if (members.length === 0) return byMember;
  const live = { member: { $in: [...members] }, state: { $in: liveStates } };
  const lots = await collectionOf(db, accrualItemResource)
    .find({ org, ...(also.length > 0 ? { $or: [live, ...also] } : live) }, session ? { session } : {})
    .toArray();
  for (const lot of lots) {
    const survivor = survivors.get(lot.member.toHexString());
    byMember.get((survivor ?? lot.member).toHexString())?.push(survivor ? { ...lot, member: survivor } : lot);
  }
  return byMember;
}
