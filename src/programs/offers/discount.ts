import Big from 'big.js';
import type { Discount } from '#records/offers/offerFields';

/** The amounts and points that a discount is computed from. */
export interface DiscountBase {
  /** Amount of the eligible items in minor units; `whole` is the amount of the whole activity. */
  eligible: number;
  whole: number;
  /** Points that rules awarded in the activity, by purse. */
  awarded: readonly { purse: string; points: number }[];
  /** Name of the purse that extra points go to. */
  primaryPurse: string | undefined;
}

/** The discount in minor units and the extra points by purse. Each number of points is above 0. */
export interface Gain {
  discount: number;
  points: { purse: string; points: number }[];
}

/** Computes the gain of a discount: exact, then rounded down (docs/decisions/0010). */
export function discountGain(discount: Discount, base: DiscountBase): Gain {
  return kinds[discount.type](discount, base);
}

const kinds: Record<Discount['type'], (discount: Discount, base: DiscountBase) => Gain> = {
  amount: ({ value, max = value }, { eligible }) => off(Math.min(value, max, Math.floor(eligible))),
  percent: ({ value, max = Number.MAX_SAFE_INTEGER }, { eligible }) =>
    off(Math.min(max, floor(new Big(eligible).times(value).div(100)))),
  points: ({ value, max = value }, { primaryPurse }) =>
    primaryPurse === undefined ? off(0) : extra([{ purse: primaryPurse, points: Math.min(value, max) }]),
  multiplier: ({ value, max = Number.MAX_SAFE_INTEGER }, base) => extra(multiplied(base, value, max)),
};

function off(discount: number): Gain {
  return { discount: Math.max(0, discount), points: [] };
}

function extra(points: Gain['points']): Gain {
  return { discount: 0, points: points.filter((each) => each.points > 0) };
}

/** The eligible share of the awarded points, times `value` - 1. An activity without an amount counts as a whole. */
function multiplied({ awarded, eligible, whole }: DiscountBase, value: number, max: number): Gain['points'] {
  const share = Math.min(eligible, whole);
  let left = max;
  return awarded.map(({ purse, points }) => {
    const more = new Big(points).times(new Big(value).minus(1));
    const exact = whole === 0 ? floor(more) : quotient(more.times(share), whole);
    const discount = Math.min(left, Math.max(0, exact));
    left -= discount;
    return { purse, points: discount };
  });
}

/**
 * Divides and rounds down. Big rounds a quotient to 20 decimals and so may round it up; the comparison corrects this.
 */
function quotient(dividend: Big, divisor: number): number {
  const full = floor(dividend.div(divisor));
  return dividend.lt(new Big(full).times(divisor)) ? full - 1 : full;
}

function floor(exact: Big): number {
  return Number(exact.round(0, Big.roundDown).toFixed());
}
