import { integerMax } from '../schema/atoms';

/** The sum of two metric values, held within ±(2^53 - 1): a counter at its end must not refuse an activity. */
export function boundedSum(a: number, b: number): number {
  return Math.max(-integerMax, Math.min(integerMax, a + b));
}
