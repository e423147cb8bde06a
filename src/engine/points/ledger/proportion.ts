import Big from 'big.js';

/**
 * How much of an activity is returned: the value `returned` so far, including this return, and its whole value `of`.
 */
export interface ReturnedShare {
  returned: number;
  of: number;
}

/**
 * floor(amount * returned / of), exact beyond 2^53. The whole amount when everything is returned, also if `of` is 0.
 */
export function proportion(amount: number, { returned, of }: ReturnedShare): number {
  if (returned >= of) return amount;
  return Number((BigInt(amount) * BigInt(returned)) / BigInt(of));
}

/** The same of an amount that may have decimals: rounded down to ten of them. */
export function decimalProportion(amount: number, { returned, of }: ReturnedShare): number {
  return returned >= of ? amount : new Big(amount).times(returned).div(of).round(10, Big.roundDown).toNumber();
}
