/** How much of an activity has been returned: cumulative value returned, including this return, of the value it had. */
export interface ReturnedShare {
  returned: number;
  of: number;
}

/** floor(amount * returned / of), exact beyond 2^53; all of it when all is returned, also of a value of 0. */
export function proportion(amount: number, { returned, of }: ReturnedShare): number {
  if (returned >= of) return amount;
  return Number((BigInt(amount) * BigInt(returned)) / BigInt(of));
}
