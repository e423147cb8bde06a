import Big from 'big.js';

/** The sum of two numbers in decimal arithmetic: 0.1 and 0.2 give 0.3. Fast for whole numbers. */
export function addDecimals(a: number, b: number): number {
  const sum = a + b;
  return Number.isSafeInteger(a) && Number.isSafeInteger(b) ? sum : new Big(a).plus(b).toNumber();
}
