import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import type { Coupon } from '../../offers/coupon';
import { loadCoupons } from '../../offers/loadCoupons';
import type { Activity } from '../../records/activities/activity';
import { locationResource } from '../../records/catalog/location';
import { partnerResource } from '../../records/catalog/partner';
import { type IssuedReward, issuedRewardResource } from '../../records/offers/issuedReward';
import type { StoredRecord } from '../state/namedRecords';
import type { Work } from '../state/work';

/** What works name, as far as the works themselves tell. */
export interface NamedByWorks {
  locations: StoredLocation[];
  partners: (StoredRecord & { code: string })[];
  coupons: Coupon[];
  issued: IssuedReward[];
}

type StoredLocation = StoredRecord & { number: string };

/** Reads the records that works name: one query a kind, and none for a kind that nobody names. */
export async function loadNamed(db: Connection, org: ObjectId, works: readonly Work[]): Promise<NamedByWorks> {
  const activities = works.map(({ activity }) => activity);
  const coupons = activities.flatMap((activity) => [activity, ...activity.lineItems]);
  const codes = [...new Set(given(coupons.map(({ couponCode }) => couponCode)))];
  const ids = given(activities.flatMap(({ lineItems }) => lineItems.map(({ offerId }) => offerId)));
  const [locations, partners, found, issued] = await Promise.all([
    loadLocations(db, org, activities),
    loadPartners(db, org, given(activities.map(({ partnerCode }) => partnerCode))),
    loadCoupons(db, org, { codes, ids }),
    loadIssued(db, org, { code: { $in: codes } }, codes),
  ]);
  return { locations, partners, coupons: found, issued };
}

/** The issued rewards that a condition selects; none when nothing is asked for. */
export async function loadIssued(
  db: Connection,
  org: ObjectId,
  condition: Record<string, unknown>,
  asked: readonly unknown[],
): Promise<IssuedReward[]> {
  if (asked.length === 0) return [];
  return collectionOf(db, issuedRewardResource)
    .find({ org, ...condition })
    .toArray();
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
