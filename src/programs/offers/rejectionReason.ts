import type { OfferLimits } from '#records/programs/program';
import type { AppliedCandidate } from './bestCombination';
import { areCompatible, type CouponCandidate, isOneGroup } from './compatibility';

/** Says why an offer or reward that could be used is not applied. */
export function rejectionReason<C extends CouponCandidate>(
  lost: C,
  applied: readonly AppliedCandidate<C>[],
  { perActivity }: OfferLimits = {},
): string {
  const others = applied.map(({ candidate }) => candidate);
  const rival = others.find((other) => !areCompatible(lost, other));
  if (rival && isOneGroup(lost, rival)) return 'another of its stack group gives more';
  if (rival) return `it does not go with ${rival.code}, which gives more`;
  if (perActivity !== undefined && others.length >= perActivity) {
    return `others give more, and an activity has at most ${perActivity}`;
  }
  return 'others give more for its line items';
}
