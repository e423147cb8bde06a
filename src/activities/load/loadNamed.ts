import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { NamedRecords, StoredProduct, StoredRecord } from '#activities/state/batchContext';
import type { PipelineRequest } from '#activities/state/pipelineRequest';
import { collectionOf } from '#base/db/collections';
import { byForm, folded, soughtForms, toCodeKey } from '#base/schema/findable';
import { knownProducts } from '#engine/rules/format/productNames';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { resolveNamedList } from '#programs/catalog/resolveNamedList';
import type { Coupon } from '#programs/offers/coupon';
import type { ProgramCatalog } from '#programs/programs/programCatalog';
import type { Activity, LineItem } from '#records/activities/activity';
import { locationResource } from '#records/catalog/location';
import { partnerResource } from '#records/catalog/partner';
import { productResource } from '#records/catalog/product';
import { type IssuedReward, issuedRewardResource } from '#records/offers/issuedReward';
import { offerResource } from '#records/offers/offer';
import { rewardResource } from '#records/offers/reward';
import type { BatchScope } from './batchScope';
import { couponsByCode, issuedByCode } from './couponsByCode';

const noProducts = knownProducts<StoredProduct>([]);

/** The records that the requests themselves name. */
interface NamedByRequests {
  /** The codes of offers, rewards and issued rewards, as they were sent. */
  codes: readonly string[];
  locations: StoredLocation[];
  partners: (StoredRecord & { code: string })[];
  products: StoredProduct[];
  coupons: Coupon[];
  issued: IssuedReward[];
}

type StoredLocation = StoredRecord & { number: string };

/** Reads the records that requests name, with one query for each kind that is named. */
export async function loadNamed(
  db: Connection,
  org: ObjectId,
  requests: readonly PipelineRequest[],
): Promise<NamedByRequests> {
  const activities = requests.map(({ activity }) => activity);
  const coupons = activities.flatMap((activity) => [activity, ...activity.lineItems]);
  const codes = [...new Set(defined(coupons.map(({ couponCode }) => couponCode)))];
  const ids = defined(activities.flatMap(({ lineItems }) => lineItems.map(({ offerId }) => offerId)));
  const [locations, partners, products, found, issued] = await Promise.all([
    loadLocations(db, org, activities),
    loadPartners(db, org, defined(activities.map(({ partnerCode }) => partnerCode))),
    loadProducts(
      db,
      org,
      activities.flatMap(({ lineItems }) => lineItems),
    ),
    loadCoupons(db, org, { codes, ids }),
    loadIssued(db, org, { $or: [{ code: { $in: codes } }, { codeKey: { $in: codes.map(toCodeKey) } }] }, codes),
  ]);
  return { codes, locations, partners, products, coupons: found, issued };
}

/**
 * Adds what the requests need indirectly: the offers and rewards that their rules may apply or issue, the rewards of
 * issued codes, and the named lists that the filters of these use. It reads only what is needed.
 */
export async function completeNamed(
  services: Pick<Infrastructure, 'db' | 'resources'>,
  scope: Omit<BatchScope, 'named'>,
  { codes, locations, partners, products, coupons, issued }: NamedByRequests,
): Promise<NamedRecords> {
  const { db } = services;
  const { org } = scope;
  const more = await loadCoupons(db, org, {
    codes: codesOfRules(scope),
    ids: issued.flatMap(({ reward, choice }) => [...(reward ? [reward] : []), ...(choice?.rewards ?? [])]),
  });
  const all = [...new Map([...coupons, ...more].map((coupon) => [coupon.record._id.toHexString(), coupon])).values()];
  const byCode = couponsByCode(all, issued, codes);
  return {
    locationById: byId(locations),
    locationByNumber: byForm(locations.map((location) => [location.number, location])),
    partnerByCode: byForm(partners.map((partner) => [partner.code, partner])),
    offerByCode: byCode.offer,
    rewardByCode: byCode.reward,
    couponById: new Map(all.map((coupon) => [coupon.record._id.toHexString(), coupon])),
    issuedByCode: issuedByCode(issued, codes),
    products: products.length > 0 ? knownProducts(products) : noProducts,
    namedLists: await loadNamedLists(services, scope.catalog, all, [...products, ...locations]),
  };
}

/** The issued rewards that a condition selects. Without names it runs no query. */
export async function loadIssued(
  db: Connection,
  org: ObjectId,
  condition: Record<string, unknown>,
  names: readonly unknown[],
): Promise<IssuedReward[]> {
  if (names.length === 0) return [];
  return collectionOf(db, issuedRewardResource)
    .find({ org, ...condition })
    .toArray();
}

async function loadLocations(db: Connection, org: ObjectId, activities: readonly Activity[]) {
  const ids = defined(activities.map(({ locationId }) => locationId));
  const numbers = defined(
    activities.map(({ locationId, srcChannelID }) => (locationId === undefined ? srcChannelID : undefined)),
  );
  const conditions = [
    ...(ids.length > 0 ? [{ _id: { $in: ids } }] : []),
    ...(numbers.length > 0 ? [{ number: { $in: [...new Set(numbers)].flatMap(soughtForms) } }] : []),
  ];
  if (conditions.length === 0) return [];
  return collectionOf(db, locationResource).find({ org, $or: conditions }).toArray();
}

async function loadPartners(db: Connection, org: ObjectId, codes: string[]) {
  if (codes.length === 0) return [];
  return collectionOf(db, partnerResource)
    .find({ org, code: { $in: [...new Set(codes)].flatMap(soughtForms) } })
    .toArray();
}

function defined<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined);
}

function byId<T extends StoredRecord>(records: readonly T[]): Map<string, T> {
  return new Map(records.map((record) => [record._id.toHexString(), record]));
}

function codesOfRules({ requests, rulesOf }: Omit<BatchScope, 'named'>): string[] {
  return requests.flatMap((request) => rulesOf(request)?.actionNeeds.couponCodes ?? []);
}

async function loadNamedLists(
  services: Pick<Infrastructure, 'db' | 'resources'>,
  catalog: ProgramCatalog,
  coupons: readonly Coupon[],
  records: readonly StoredRecord[],
): Promise<NamedRecords['namedLists']> {
  const ids = coupons.flatMap(({ record: { productFilter, locationFilter } }) =>
    [productFilter, locationFilter].flatMap((filter) => filter?.inclusionparamsnamedList?.toHexString() ?? []),
  );
  if (ids.length === 0) return new Map();
  const lists = await catalog.namedLists({ names: new Set(), ids: new Set(ids) });
  const among = records.map(({ _id }) => _id);
  const resolved = await Promise.all(lists.map((list) => resolveNamedList(services, list, among)));
  const byList = new Map(lists.map((list, index) => [list._id.toHexString(), resolved[index] ?? new Set<string>()]));
  // A deleted list counts as empty.
  return new Map(ids.map((id) => [id, byList.get(id) ?? new Set<string>()]));
}

/** The codes and ids of the offers and rewards to load. */
interface CouponNames {
  codes: readonly string[];
  ids: readonly ObjectId[];
}

/** Loads the offers and rewards with these codes or ids, with one query for offers and one for rewards. */
async function loadCoupons(db: Connection, org: ObjectId, { codes, ids }: CouponNames): Promise<Coupon[]> {
  const conditions = [
    ...(codes.length > 0
      ? [{ code: { $in: [...new Set(codes)] } }, { codeKey: { $in: [...new Set(codes.map(folded))] } }]
      : []),
    ...(ids.length > 0 ? [{ _id: { $in: [...ids] } }] : []),
  ];
  if (conditions.length === 0) return [];
  const [offers, rewards] = await Promise.all([
    collectionOf(db, offerResource).find({ org, $or: conditions }).toArray(),
    collectionOf(db, rewardResource).find({ org, $or: conditions }).toArray(),
  ]);
  return [
    ...rewards.map((record) => ({ kind: 'reward' as const, record })),
    ...offers.map((record) => ({ kind: 'offer' as const, record })),
  ];
}

/** Reads the products that line items name by `productId` or `itemSKU`, in one query; in none when they name none. */
export async function loadProducts(
  db: Connection,
  org: ObjectId,
  lineItems: readonly Pick<LineItem, 'itemSKU' | 'productId'>[],
): Promise<StoredProduct[]> {
  const skus = new Set<string>();
  const ids = new Map<string, ObjectId>();
  for (const { itemSKU, productId } of lineItems) {
    if (productId) ids.set(productId.toHexString(), productId);
    else if (itemSKU !== undefined) skus.add(itemSKU);
  }
  const conditions = [
    ...(skus.size > 0 ? [{ sku: { $in: [...skus].flatMap(soughtForms) } }] : []),
    ...(ids.size > 0 ? [{ _id: { $in: [...ids.values()] } }] : []),
  ];
  if (conditions.length === 0) return [];
  return collectionOf(db, productResource).find({ org, $or: conditions }).toArray();
}
