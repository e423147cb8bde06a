import type { Coupon } from './coupon';
import type { Gain } from './discount';

/** An offer or reward that an activity asks for, with its gain. */
export interface CouponCandidate {
  coupon: Coupon;
  /** The requested code: of the offer or reward, or of the issued reward. */
  code: string;
  /** What it gives; of an offer `perLine`, to all line items together. */
  gain: Gain;
  /** Only of an offer `perLine`: what it gives to each line item, by position. */
  byLine?: ReadonlyMap<number, Gain> | undefined;
}

/** Sums the extra points of a gain over all purses. */
export function gainPoints({ points }: Pick<Gain, 'points'>): number {
  return points.reduce((sum, each) => sum + each.points, 0);
}

/** What a gain is worth: a point counts as one minor unit. */
export function gainWorth(gain: Gain): number {
  return gain.discount + gainPoints(gain);
}

/** Higher priority first, then by code. */
export function byPriority(first: CouponCandidate, second: CouponCandidate): number {
  const [a, b] = [first.coupon.record, second.coupon.record];
  return (b.priority ?? 0) - (a.priority ?? 0) || compared(a.code, b.code) || compared(first.code, second.code);
}

function compared(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Whether both may be applied: they are not of one stack group, and neither excludes the other. */
export function areCompatible(a: CouponCandidate, b: CouponCandidate): boolean {
  return !isOneGroup(a, b) && !excludes(a, b) && !excludes(b, a);
}

/** Whether both are of one stack group. */
export function isOneGroup({ coupon: { record: a } }: CouponCandidate, { coupon: { record: b } }: CouponCandidate) {
  return a.stackGroup !== undefined && a.stackGroup === b.stackGroup;
}

function excludes({ coupon: { record } }: CouponCandidate, { coupon: { record: other } }: CouponCandidate): boolean {
  const { all = false, stackGroups = [] } = record.excludes ?? {};
  return all || (other.stackGroup !== undefined && stackGroups.includes(other.stackGroup));
}
