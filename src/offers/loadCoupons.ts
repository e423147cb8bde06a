import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { offerResource } from '../records/offers/offer';
import { rewardResource } from '../records/offers/reward';
import type { Coupon } from './coupon';

/** Which offers and rewards are asked for. */
export interface CouponNames {
  codes: readonly string[];
  ids: readonly ObjectId[];
}

/** The offers and rewards with these codes or ids, one query each; none when nothing is named. */
export async function loadCoupons(db: Connection, org: ObjectId, { codes, ids }: CouponNames): Promise<Coupon[]> {
  const asked = [
    ...(codes.length > 0 ? [{ code: { $in: [...new Set(codes)] } }] : []),
    ...(ids.length > 0 ? [{ _id: { $in: [...ids] } }] : []),
  ];
  if (asked.length === 0) return [];
  const [offers, rewards] = await Promise.all([
    collectionOf(db, offerResource).find({ org, $or: asked }).toArray(),
    collectionOf(db, rewardResource).find({ org, $or: asked }).toArray(),
  ]);
  return [
    ...rewards.map((record) => ({ kind: 'reward' as const, record })),
    ...offers.map((record) => ({ kind: 'offer' as const, record })),
  ];
}
