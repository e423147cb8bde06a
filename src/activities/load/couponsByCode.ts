import type { NamedRecords } from '#activities/state/batchContext';
import { folded, toCodeKey } from '#base/schema/findable';
import type { Coupon } from '#programs/offers/coupon';
import type { IssuedReward } from '#records/offers/issuedReward';

/**
 * Offers and rewards by their codes, and by codes that were sent in another case. An exact match always wins.
 * @param codes as they were sent
 */
export function couponsByCode(
  coupons: readonly Coupon[],
  issued: readonly Pick<IssuedReward, 'code'>[],
  codes: readonly string[],
): Record<Coupon['kind'], Map<string, Coupon>> {
  const exact = new Set([...coupons.map(({ record }) => record.code), ...issued.map(({ code }) => code)]);
  const inexactCodes = codes.filter((code) => !exact.has(code));
  const byCode = (kind: Coupon['kind']) => {
    const own = coupons.filter((coupon) => coupon.kind === kind);
    const byKey = new Map(own.flatMap((coupon) => keyed(coupon.record.codeKey, coupon)));
    const sent = inexactCodes.flatMap((code) => keyed(code, byKey.get(folded(code))));
    return new Map([...own.map((coupon) => [coupon.record.code, coupon] as const), ...sent]);
  };
  return { offer: byCode('offer'), reward: byCode('reward') };
}

/**
 * Issued rewards by their codes, and by the codes that were sent in another case or without hyphens. Codes that differ
 * only in this are found by their exact spelling.
 */
export function issuedByCode(issued: readonly IssuedReward[], codes: readonly string[]): NamedRecords['issuedByCode'] {
  const exact = new Map(issued.map((each) => [each.code, named(each)]));
  const sent = codes.flatMap((code) => {
    const found = exact.has(code) ? [] : issued.filter(({ codeKey }) => codeKey === toCodeKey(code));
    return found.length === 1 ? found.map((each) => [code, named(each)] as const) : [];
  });
  return new Map([...exact, ...sent]);
}

function named({ reward, choice, _id }: IssuedReward) {
  const rewards = (choice?.rewards ?? []).map((id) => id.toHexString());
  return { reward: reward?.toHexString(), choice: rewards, issued: _id.toHexString() };
}

function keyed<T>(key: string | undefined, value: T | undefined): (readonly [string, T])[] {
  return key === undefined || value === undefined ? [] : [[key, value]];
}
