import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { locationResource } from '../catalog/location';
import { partnerResource } from '../catalog/partner';
import { collectionOf } from '../db/resource';
import { loadCoupons } from '../offers/loadCoupons';
import type { Activity } from './activity';
import type { NamedRecords } from './namedRecords';
import type { Work } from './work';

/** Reads the records that works name: one query a kind, and none for a kind that nobody names. */
export async function loadNamed(db: Connection, org: ObjectId, works: readonly Work[]): Promise<NamedRecords> {
  const activities = works.map(({ activity }) => activity);
  const coupons = activities.flatMap((activity) => [activity, ...activity.lineItems]);
  const [locations, partners, found] = await Promise.all([
    loadLocations(db, org, activities),
    loadPartners(db, org, given(activities.map(({ partnerCode }) => partnerCode))),
    loadCoupons(db, org, {
      codes: given(coupons.map(({ couponCode }) => couponCode)),
      ids: given(activities.flatMap(({ lineItems }) => lineItems.map(({ offerId }) => offerId))),
    }),
  ]);
  return {
    locationById: new Map(locations.map((location) => [location._id.toHexString(), location])),
    locationByNumber: new Map(locations.map((location) => [location.number, location])),
    partnerByCode: new Map(partners.map((partner) => [partner.code, partner])),
    couponByCode: new Map(found.map((coupon) => [coupon.record.code, coupon])),
    couponById: new Map(found.map((coupon) => [coupon.record._id.toHexString(), coupon])),
  };
}

async function loadLocations(db: Connection, org: ObjectId, activities: readonly Activity[]) {
  const ids = given(activities.map(({ locationId }) => locationId));
  const numbers = given(
    activities.map(({ locationId, srcChannelID }) => (locationId === undefined ? srcChannelID : undefined)),
  );
  const asked = [
    ...(ids.length > 0 ? [{ _id: { $in: ids } }] : []),
    ...(numbers.length > 0 ? [{ number: { $in: [...new Set(numbers)] } }] : []),
  ];
  if (asked.length === 0) return [];
  return collectionOf(db, locationResource).find({ org, $or: asked }).toArray();
}

async function loadPartners(db: Connection, org: ObjectId, codes: string[]) {
  if (codes.length === 0) return [];
  return collectionOf(db, partnerResource)
    .find({ org, code: { $in: [...new Set(codes)] } })
    .toArray();
}

function given<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined);
}
