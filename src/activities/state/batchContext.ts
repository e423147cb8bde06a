import type { ObjectId } from 'bson';
import type { Evaluator } from '#engine/rules/evaluate/evaluator';
import type { ResolvedLists } from '#engine/rules/evaluate/resolvedLists';
import type { RuleSet } from '#engine/rules/evaluate/ruleSet';
import type { Enriched } from '#engine/rules/format/enriched';
import type { KnownProducts } from '#engine/rules/format/productNames';
import type { MetricSums } from '#engine/sums/metricSums';
import type { WindowValues } from '#engine/sums/windowSums';
import type { MemberState } from '#members/memberState/memberState';
import type { WantedOccasions } from '#members/occasions/wantedOccasions';
import { type Coupon, couponSnapshot } from '#programs/offers/coupon';
import type { Activity, LineItem } from '#records/activities/activity';
import type { ActivityHistory } from '#records/activities/activityHistory';
import type { Submission } from '#records/activities/submission';
import type { ArchivedKey } from '#records/archives/archivedKey';
import type { ArchivedActivity } from '#records/archives/findArchived';
import type { ExtDefinitions } from '#records/extensions/extDefinitions';
import type { Member } from '#records/members/member';
import type { IssuedReward } from '#records/offers/issuedReward';
import type { EffectiveActivity } from './effective';
import type { PipelineRequest } from './pipelineRequest';
import type { WindowCounters } from './windowCounters';

/** Everything that a batch of one org needs. It is read before the first decision. Decisions change only this copy. */
export interface BatchContext {
  org: ObjectId;
  now: Date;
  /** The occasions that rules in force are for. */
  wanted: WantedOccasions;
  ruleSet: RuleSet | undefined;
  ruleSetVersion: number | undefined;
  /** Folders that have rule files but no rule in force. Results of activities in their programs say so. */
  unpublishedFolders: readonly string[];
  /** By version, the rule sets that evaluated the originals of partial returns. */
  pastRuleSets: ReadonlyMap<number, RuleSet>;
  evaluator: Evaluator;
  /** By hexadecimal id. */
  members: Map<string, MemberState>;
  /** Hexadecimal member id by loyalty id. */
  memberByLoyaltyId: Map<string, string>;
  /** Existing submissions by key. */
  submissions: Map<string, Submission>;
  /** Submissions by key that have left their key free. A new one with the key takes their place. */
  replaceable?: ReadonlyMap<string, Submission>;
  /**
   * Histories by hexadecimal id: originals of cancellations, causes of occasions, and histories of requests that are
   * repeated.
   */
  histories: Map<string, ActivityHistory>;
  /** Those of the same activities that are in the archive, by hexadecimal id. */
  archived: ReadonlyMap<string, ArchivedActivity>;
  /** The keys of requests whose submissions are in the archive. */
  archivedKeys: ReadonlyMap<string, ArchivedKey>;
  /**
   * The latest Accruals and Redemptions that are effective, by hexadecimal member id: of the members whose inactivity
   * date a cancellation of the batch may move.
   */
  effective: Map<string, readonly EffectiveActivity[]>;
  /** Cancellations whose original does not match their `validate`. */
  unmetConditions: ReadonlySet<PipelineRequest>;
  /** The used amounts of limits, budgets and coupons, by hexadecimal counter id. */
  usage: Map<string, number>;
  /** The counters of limits by windows; undefined until one is read or used. */
  limitWindows: WindowCounters | undefined;
  /** The account of each member, by hexadecimal member id; only when a limit of the batch counts by accounts. */
  accounts: ReadonlyMap<string, ObjectId>;
  /** Hexadecimal member id by the key of a referral code, for the codes that the batch names. */
  memberByReferralCode: ReadonlyMap<string, string>;
  /** Locations, partners, offers and rewards that the batch names. */
  named: NamedRecords;
  /** Issued rewards by hexadecimal id: the batch names their codes, or cancels their issue or use. */
  issued: Map<string, IssuedReward>;
  /** Sums of metrics that rules of this batch may ask for, as committed. */
  sums: MetricSums;
  /** The values from which windows of metrics are added up, for those that rules of this batch may ask for. */
  windows: WindowValues;
  /**
   * The part of `usage` that is stored in counters of merged members. It is not written to the survivor's counters.
   */
  inheritedUsage: ReadonlyMap<string, number>;
  segments: BatchSegments;
  /** Definitions of the extension fields; empty when no rule sets such fields. */
  extDefinitions: ExtDefinitions;
  /** Named lists that the rules of this batch use. */
  lists: ResolvedLists;
}

/** A definition as stored. */
export type StoredRecord = Record<string, unknown> & { _id: ObjectId };

/** A product as stored. */
export type StoredProduct = StoredRecord & { sku: string };

/** The records that the activities of a batch name, as they were when the batch was loaded. */
export interface NamedRecords {
  /** By hexadecimal id. */
  locationById: ReadonlyMap<string, StoredRecord>;
  locationByNumber: ReadonlyMap<string, StoredRecord>;
  partnerByCode: ReadonlyMap<string, StoredRecord>;
  /** Offers and rewards by code. When an offer and a reward have the same code, the code means the offer. */
  offerByCode: ReadonlyMap<string, Coupon>;
  rewardByCode: ReadonlyMap<string, Coupon>;
  /** By hexadecimal id. */
  couponById: ReadonlyMap<string, Coupon>;
  /**
   * By the code that was issued to a member: the hexadecimal ids of its reward, of the rewards of a choice, and of the
   * record.
   */
  issuedByCode: ReadonlyMap<string, { reward: string | undefined; choice: readonly string[]; issued: string }>;
  /** Products of line items. */
  products: KnownProducts<StoredProduct>;
  /** The named lists of coupon filters: by hexadecimal list id, the hexadecimal ids of the records in the list. */
  namedLists: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The segments that rules of a batch use or change. */
export interface BatchSegments {
  /** The id of a static segment; undefined for any other name. */
  idOf(name: string): ObjectId | undefined;
  /** Names of the segments of a member: static ones as the member has them now, others as they were loaded. */
  namesOf(member: Pick<Member, '_id' | 'segments'>): string[];
  /** When the member joined its static segments, by name. */
  datesOf(member: Pick<Member, 'segmentDates'>): Readonly<Record<string, Date>>;
}

/** The records that an activity refers to, as rules see them. */
export function enrichActivity(named: NamedRecords, activity: Activity): Enriched {
  const location = findLocation(named, activity);
  const partner = activity.partnerCode === undefined ? undefined : named.partnerByCode.get(activity.partnerCode);
  return { products: named.products.bySku, ...(location ? { location } : {}), ...(partner ? { partner } : {}) };
}

/** Finds the location of an activity by `locationId`, else by `srcChannelID`. */
export function findLocation(named: NamedRecords, { locationId, srcChannelID }: Activity): StoredRecord | undefined {
  if (locationId) return named.locationById.get(locationId.toHexString());
  return srcChannelID === undefined ? undefined : named.locationByNumber.get(srcChannelID);
}

/** An activity with the id of its location, which it may name by `srcChannelID` only (docs/design/activities.md). */
export function withLocationId(named: NamedRecords, activity: Activity): Activity {
  if (activity.locationId) return activity;
  const location = findLocation(named, activity);
  return location ? { ...activity, locationId: location._id } : activity;
}

/** Finds the offer or reward that a line item or the activity itself names, by code, else by id. */
export function findCoupon(
  named: NamedRecords,
  { couponCode, offerId }: { couponCode?: string | undefined; offerId?: ObjectId | undefined },
): Coupon | undefined {
  if (couponCode === undefined) return offerId && named.couponById.get(offerId.toHexString());
  const own = named.offerByCode.get(couponCode) ?? named.rewardByCode.get(couponCode);
  return own ?? named.couponById.get(named.issuedByCode.get(couponCode)?.reward ?? '');
}

/** The rewards of which an activity may take one, when it names the code of a choice. */
export function choosable(named: NamedRecords, { couponCode }: Pick<Activity, 'couponCode'>): Coupon[] {
  const { choice = [] } = (couponCode !== undefined && named.issuedByCode.get(couponCode)) || {};
  return choice.flatMap((id) => named.couponById.get(id) ?? []);
}

/** The issued reward with this code, in its present state; undefined for the codes of offers and rewards themselves. */
export function findIssuedReward(
  { named, issued }: { named: NamedRecords; issued: ReadonlyMap<string, IssuedReward> },
  code: string,
): IssuedReward | undefined {
  if (named.offerByCode.has(code) || named.rewardByCode.has(code)) return undefined;
  return issued.get(named.issuedByCode.get(code)?.issued ?? '');
}

type Snapshots = Pick<ActivityHistory, 'location' | 'partner' | 'coupon' | 'lineItems'>;

/** Copies of the records that an activity refers to, as its history stores them. */
export function takeSnapshots(
  named: NamedRecords,
  activity: Activity,
  discounts: ReadonlyMap<number, number> = new Map(),
): Snapshots {
  const { location, partner } = enrichActivity(named, activity);
  const coupon = findCoupon(named, activity);
  return {
    lineItems: named.couponById.size === 0 ? activity.lineItems : activity.lineItems.map(withCoupon(named, discounts)),
    ...(location ? { location: withoutStamps(location) } : {}),
    ...(partner ? { partner: withoutStamps(partner) } : {}),
    ...(coupon ? { coupon: couponSnapshot(coupon) } : {}),
  };
}

/** Adds a coupon's snapshot to a line item. For an applied coupon it has the discount on this line item too. */
function withCoupon(named: NamedRecords, discounts: ReadonlyMap<number, number>) {
  return (item: LineItem, line: number): ActivityHistory['lineItems'][number] => {
    const coupon = findCoupon(named, item);
    const discount = discounts.get(line);
    return coupon
      ? { ...item, coupon: { ...couponSnapshot(coupon), ...(discount === undefined ? {} : { discount }) } }
      : item;
  };
}

/** A definition without its stamps: org, and who wrote it when. */
export function withoutStamps(stored: Record<string, unknown>): Record<string, unknown> {
  const { org: _org, createdAt: _at, createdBy: _by, updatedAt: _changed, updatedBy: _changer, ...record } = stored;
  return record;
}
