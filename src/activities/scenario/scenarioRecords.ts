import { ObjectId } from 'bson';
import type { NamedRecords, StoredProduct, StoredRecord } from '#activities/state/batchContext';
import { derivedId } from '#base/db/records';
import { knownProducts } from '#engine/rules/format/productNames';
import type { RuleTest } from '#engine/rules/format/rule';
import type { ProgramRecords, RuleReferences } from '#engine/rules/format/ruleReferences';
import type { Coupon } from '#programs/offers/coupon';
import type { Activity } from '#records/activities/activity';

/** The records that an activity of a scenario names: those that the test gives, and the offers and rewards in force. */
export function scenarioRecords(
  { location, partner, products = [], namedLists = {} }: RuleTest,
  { offers, rewards }: ProgramRecords,
  { srcChannelID, locationId, partnerCode }: Activity,
  { namedLists: lists = [] }: RuleReferences,
): NamedRecords {
  const locationRecord = location && stored('location', location, locationId);
  const productRecords = products.map(storedProduct);
  const entriesOf = ({ name }: { name: string }) => {
    const texts = new Set(namedLists[name]);
    return new Set([
      ...texts,
      ...productRecords.flatMap(({ _id, sku }) => (texts.has(sku) ? [_id.toHexString()] : [])),
    ]);
  };
  const coupons: Coupon[] = [
    ...rewards.map((record) => ({ kind: 'reward' as const, record })),
    ...offers.map((record) => ({ kind: 'offer' as const, record })),
  ];
  const byCode = (kind: Coupon['kind']) =>
    new Map(coupons.filter((coupon) => coupon.kind === kind).map((coupon) => [coupon.record.code, coupon]));
  return {
    locationById: new Map(locationRecord ? [[locationRecord._id.toHexString(), locationRecord]] : []),
    locationByNumber: new Map(locationRecord && srcChannelID !== undefined ? [[srcChannelID, locationRecord]] : []),
    partnerByCode: new Map(partner && partnerCode !== undefined ? [[partnerCode, storedPartner(partner)]] : []),
    offerByCode: byCode('offer'),
    rewardByCode: byCode('reward'),
    couponById: new Map(coupons.map((coupon) => [coupon.record._id.toHexString(), coupon])),
    issuedByCode: new Map(),
    products: knownProducts(productRecords),
    namedLists: new Map(lists.map((each) => [each.id, entriesOf(each)])),
  };
}

function storedPartner(partner: Record<string, unknown>): StoredRecord {
  return { status: 'Active', ...stored('partner', partner) };
}

function storedProduct(product: { sku?: unknown }): StoredProduct {
  const sku = String(product.sku);
  return { ...stored(`product ${sku}`, { ...product }), sku };
}

/** A record of a test as if it was stored. It has the id that the test gives it. */
function stored(what: string, { _id, ...record }: Record<string, unknown>, id?: ObjectId): StoredRecord {
  const ownId = typeof _id === 'string' && ObjectId.isValid(_id) ? new ObjectId(_id) : undefined;
  return { ...record, _id: ownId ?? id ?? derivedId('scenario', what) };
}
