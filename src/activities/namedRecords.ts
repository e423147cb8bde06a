import type { ObjectId } from 'bson';
import { type Coupon, couponSnapshot } from '../offers/coupon';
import type { Enriched } from '../rules/enriched';
import type { Activity, LineItem } from './activity';
import type { ActivityHistory } from './activityHistory';

/** A definition as stored. */
export type StoredRecord = Record<string, unknown> & { _id: ObjectId };

/** The records that the activities of a batch name, as they were when it was loaded (DESIGN 7, step 4). */
export interface NamedRecords {
  /** By hexadecimal id. */
  locationById: ReadonlyMap<string, StoredRecord>;
  locationByNumber: ReadonlyMap<string, StoredRecord>;
  partnerByCode: ReadonlyMap<string, StoredRecord>;
  /** An offer goes before a reward of the same code. */
  couponByCode: ReadonlyMap<string, Coupon>;
  /** By hexadecimal id. */
  couponById: ReadonlyMap<string, Coupon>;
}

/** What an activity refers to, as rules see it. */
export function enrichedOf(named: NamedRecords, activity: Activity): Enriched {
  const location = locationOf(named, activity);
  const partner = activity.partnerCode === undefined ? undefined : named.partnerByCode.get(activity.partnerCode);
  return { ...(location ? { location } : {}), ...(partner ? { partner } : {}), products: new Map() };
}

/** The location of an activity: by `locationId`, else by `srcChannelID`. */
export function locationOf(named: NamedRecords, { locationId, srcChannelID }: Activity): StoredRecord | undefined {
  if (locationId) return named.locationById.get(locationId.toHexString());
  return srcChannelID === undefined ? undefined : named.locationByNumber.get(srcChannelID);
}

/** The offer or reward that a line item, or an activity itself, names by code, else by id. */
export function couponOf(
  named: NamedRecords,
  { couponCode, offerId }: { couponCode?: string | undefined; offerId?: ObjectId | undefined },
): Coupon | undefined {
  if (couponCode !== undefined) return named.couponByCode.get(couponCode);
  return offerId && named.couponById.get(offerId.toHexString());
}

type Snapshots = Pick<ActivityHistory, 'location' | 'partner' | 'coupon' | 'lineItems'>;

/** What an activity refers to, as its history keeps it. */
export function snapshotsOf(named: NamedRecords, activity: Activity): Snapshots {
  const { location, partner } = enrichedOf(named, activity);
  const coupon = couponOf(named, activity);
  return {
    ...(location ? { location: withoutStamps(location) } : {}),
    ...(partner ? { partner: withoutStamps(partner) } : {}),
    ...(coupon ? { coupon: couponSnapshot(coupon) } : {}),
    lineItems: named.couponById.size === 0 ? activity.lineItems : activity.lineItems.map(withCoupon(named)),
  };
}

function withCoupon(named: NamedRecords) {
  return (item: LineItem): ActivityHistory['lineItems'][number] => {
    const coupon = couponOf(named, item);
    return coupon ? { ...item, coupon: { ...couponSnapshot(coupon) } } : item;
  };
}

/** A definition as it was, without who wrote it when. */
export function withoutStamps(stored: Record<string, unknown>): Record<string, unknown> {
  const { org: _org, createdAt: _at, createdBy: _by, updatedAt: _changed, updatedBy: _changer, ...record } = stored;
  return record;
}
