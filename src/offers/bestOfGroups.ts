import type { Coupon } from './coupon';
import type { Gain } from './discount';

/** An offer or reward with its gain. */
export interface CouponCandidate {
  coupon: Coupon;
  gain: Gain;
}

/**
 * Picks the best candidate of each stack group: the one with the greatest gain, where a point counts as one minor unit;
 * then by priority, then by code. Candidates without a group are all picked.
 * @returns the picked candidates, highest priority first, and the others
 */
export function bestOfGroups<C extends CouponCandidate>(candidates: readonly C[]): { best: C[]; lost: C[] } {
  const byValue = [...candidates].sort((a, b) => worthOf(b.gain) - worthOf(a.gain) || byPriority(a, b));
  const groups = new Set<string>();
  const best: C[] = [];
  const lost: C[] = [];
  for (const candidate of byValue) {
    const { stackGroup } = candidate.coupon.record;
    (stackGroup !== undefined && groups.has(stackGroup) ? lost : best).push(candidate);
    if (stackGroup !== undefined) groups.add(stackGroup);
  }
  return { best: best.sort(byPriority), lost };
}

/** Sums the extra points of a gain over all purses. */
export function pointsOf({ points }: Gain): number {
  return points.reduce((sum, each) => sum + each.points, 0);
}

function worthOf(gain: Gain): number {
  return gain.discount + pointsOf(gain);
}

function byPriority({ coupon: { record: a } }: CouponCandidate, { coupon: { record: b } }: CouponCandidate): number {
  return (b.priority ?? 0) - (a.priority ?? 0) || (a.code < b.code ? -1 : 1);
}
