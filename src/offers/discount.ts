import Big from 'big.js';
import type { Discount } from '../records/offers/offerFields';

/** What a discount is worked out on. */
export interface DiscountBase {
  /** Amount of what is eligible, and of the whole activity, in minor units. */
  eligible: number;
  whole: number;
  /** Points that rules awarded in the activity, by purse. */
  awarded: readonly { purse: string; points: number }[];
  /** Name of the purse that extra points go to. */
  primaryPurse: string | undefined;
}

/** What an offer or reward gives: minor units off, and extra points by purse; each above 0. */
export interface Gain {
  discount: number;
  points: { purse: string; points: number }[];
}

/** Works out what a discount gives; exact, rounded down (docs/decisions/0010). */
export function gainOf(discount: Discount, base: DiscountBase): Gain {
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

/** The share of the awards that belongs to what is eligible, times value - 1; all of it when there is no amount. */
function multiplied({ awarded, eligible, whole }: DiscountBase, value: number, max: number): Gain['points'] {
  const share = Math.min(eligible, whole);
  let left = max;
  return awarded.map(({ purse, points }) => {
    const more = new Big(points).times(new Big(value).minus(1));
    const exact = whole === 0 ? floor(more) : quotient(more.times(share), whole);
    const given = Math.min(left, Math.max(0, exact));
    left -= given;
    return { purse, points: given };
  });
}

/** Rounded down, also where the quotient itself, made to 20 decimals, was rounded up. */
function quotient(dividend: Big, divisor: number): number {
  const full = floor(dividend.div(divisor));
  return dividend.lt(new Big(full).times(divisor)) ? full - 1 : full;
}

function floor(exact: Big): number {
  return Number(exact.round(0, Big.roundDown).toFixed());
}
