import type { ObjectId } from 'bson';
import type { MetricSums } from '../../aggregates/sums/metricSums';
import type { MemberState } from '../../memberState/memberState';
import { type Coupon, couponSnapshot } from '../../offers/coupon';
import type { Activity, LineItem } from '../../records/activities/activity';
import type { ActivityHistory } from '../../records/activities/activityHistory';
import type { Submission } from '../../records/activities/submission';
import type { ExtDefinitions } from '../../records/extensions/extDefinitions';
import type { Member } from '../../records/members/member';
import type { IssuedReward } from '../../records/offers/issuedReward';
import type { Evaluator } from '../../rules/evaluate/evaluator';
import type { ResolvedLists } from '../../rules/evaluate/resolvedLists';
import type { RuleSet } from '../../rules/evaluate/ruleSet';
import type { Enriched } from '../../rules/format/enriched';
import type { PipelineRequest } from './pipelineRequest';

/** Everything a batch of one org needs, read before anything is decided; the works change only this copy. */
export interface BatchContext {
  org: ObjectId;
  now: Date;
  ruleSet: RuleSet | undefined;
  ruleSetVersion: number | undefined;
  /** By version, those that evaluated the targets of returns of a part. */
  pastRuleSets: ReadonlyMap<number, RuleSet>;
  evaluator: Evaluator;
  /** By hexadecimal id. */
  members: Map<string, MemberState>;
  /** Hexadecimal member id by loyalty id. */
  memberByLoyaltyId: Map<string, string>;
  /** Existing submissions by key. */
  submissions: Map<string, Submission>;
  /** Histories by hexadecimal id: targets of cancellations and results to answer again. */
  histories: Map<string, ActivityHistory>;
  /** Cancellations whose target does not meet their `validate`. */
  unmetConditions: ReadonlySet<PipelineRequest>;
  /** What limits and budgets have used so far, by hexadecimal counter id. */
  usage: Map<string, number>;
  /** Hexadecimal member id by referral code, of the codes that the batch names. */
  memberByReferralCode: ReadonlyMap<string, string>;
  /** Locations, partners, offers and rewards that the batch names. */
  named: NamedRecords;
  /** Issued rewards whose codes the batch names or whose issue or use it cancels, by hexadecimal id. */
  issued: Map<string, IssuedReward>;
  /** Sums of metrics that rules of this batch may ask for, as committed. */
  sums: MetricSums;
  /** Of `usage`, what stands in counters of merged members and is not written with the survivor's. */
  inheritedUsage: ReadonlyMap<string, number>;
  /** By SKU, of the line items whose activities meet rules that look at products. */
  products: ReadonlyMap<string, StoredRecord>;
  segments: BatchSegments;
  /** Extension fields that are defined; none when no rule sets any. */
  extDefinitions: ExtDefinitions;
  /** Named lists that rules of this batch look at. */
  lists: ResolvedLists;
}

/** A definition as stored. */
export type StoredRecord = Record<string, unknown> & { _id: ObjectId };

/** The records that the activities of a batch name, as they were when it was loaded. */
export interface NamedRecords {
  /** By hexadecimal id. */
  locationById: ReadonlyMap<string, StoredRecord>;
  locationByNumber: ReadonlyMap<string, StoredRecord>;
  partnerByCode: ReadonlyMap<string, StoredRecord>;
  /** Offers and rewards; where both have a code it is the offer's. */
  offerByCode: ReadonlyMap<string, Coupon>;
  rewardByCode: ReadonlyMap<string, Coupon>;
  /** By hexadecimal id. */
  couponById: ReadonlyMap<string, Coupon>;
  /** Hexadecimal id of the reward and of its issue, by the code that a member was given. */
  issuedByCode: ReadonlyMap<string, { reward: string; issued: string }>;
  /** Products of line items, as far as filters of offers look at them. */
  productBySku: ReadonlyMap<string, StoredRecord>;
  productById: ReadonlyMap<string, StoredRecord>;
  /** Hexadecimal ids of the records in the named lists of those filters, by hexadecimal list id. */
  namedLists: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The segments that rules of a batch look at or change. */
export interface BatchSegments {
  /** The id of a static segment; undefined of any other. */
  idOf(name: string): ObjectId | undefined;
  /** Names of the segments that a member is in: static ones by what it holds now, others as they were loaded. */
  namesOf(member: Pick<Member, '_id' | 'segments'>): string[];
}

/** What an activity refers to, as rules see it. */
export function enrichedOf(named: NamedRecords, activity: Activity): Enriched {
  const location = locationOf(named, activity);
  const partner = activity.partnerCode === undefined ? undefined : named.partnerByCode.get(activity.partnerCode);
  return { products: new Map(), ...(location ? { location } : {}), ...(partner ? { partner } : {}) };
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
  if (couponCode === undefined) return offerId && named.couponById.get(offerId.toHexString());
  const own = named.offerByCode.get(couponCode) ?? named.rewardByCode.get(couponCode);
  return own ?? named.couponById.get(named.issuedByCode.get(couponCode)?.reward ?? '');
}

/** The issued reward that a code belongs to, as it is now; undefined for codes of offers and rewards themselves. */
export function issuedOf(
  { named, issued }: { named: NamedRecords; issued: ReadonlyMap<string, IssuedReward> },
  code: string,
): IssuedReward | undefined {
  if (named.offerByCode.has(code) || named.rewardByCode.has(code)) return undefined;
  return issued.get(named.issuedByCode.get(code)?.issued ?? '');
}

/** The product of a line item: by `productId`, else by `itemSKU`. */
export function productOf(named: NamedRecords, { productId, itemSKU }: LineItem): StoredRecord | undefined {
  if (productId) return named.productById.get(productId.toHexString());
  return itemSKU === undefined ? undefined : named.productBySku.get(itemSKU);
}

type Snapshots = Pick<ActivityHistory, 'location' | 'partner' | 'coupon' | 'lineItems'>;

/** What an activity refers to, as its history keeps it. */
export function snapshotsOf(
  named: NamedRecords,
  activity: Activity,
  discounts: ReadonlyMap<number, number> = new Map(),
): Snapshots {
  const { location, partner } = enrichedOf(named, activity);
  const coupon = couponOf(named, activity);
  return {
    lineItems: named.couponById.size === 0 ? activity.lineItems : activity.lineItems.map(withCoupon(named, discounts)),
    ...(location ? { location: withoutStamps(location) } : {}),
    ...(partner ? { partner: withoutStamps(partner) } : {}),
    ...(coupon ? { coupon: couponSnapshot(coupon) } : {}),
  };
}

/** Of a coupon that was applied the snapshot also tells the discount on this line item. */
function withCoupon(named: NamedRecords, discounts: ReadonlyMap<number, number>) {
  return (item: LineItem, line: number): ActivityHistory['lineItems'][number] => {
    const coupon = couponOf(named, item);
    const discount = discounts.get(line);
    return coupon
      ? { ...item, coupon: { ...couponSnapshot(coupon), ...(discount === undefined ? {} : { discount }) } }
      : item;
  };
}

/** A definition as it was, without who wrote it when. */
export function withoutStamps(stored: Record<string, unknown>): Record<string, unknown> {
  const { org: _org, createdAt: _at, createdBy: _by, updatedAt: _changed, updatedBy: _changer, ...record } = stored;
  return record;
}
