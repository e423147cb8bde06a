import { type Message, message } from '#base/common/messages/message';
import type { OfferLimits } from '#records/programs/program';
import type { AppliedCandidate } from './bestCombination';
import { areCompatible, type CouponCandidate, isOneGroup } from './compatibility';

/** Says why an offer or reward that could be used is not applied. */
export function rejectionReason<C extends CouponCandidate>(
  lost: C,
  applied: readonly AppliedCandidate<C>[],
  { perActivity }: OfferLimits = {},
): Message {
  const others = applied.map(({ candidate }) => candidate);
  const rival = others.find((other) => !areCompatible(lost, other));
  if (rival && isOneGroup(lost, rival)) return message('offers.rivalOfGroup');
  if (rival) return message('offers.rival', { code: rival.code });
  if (perActivity !== undefined && others.length >= perActivity) {
    return message('offers.exceedsActivity', { max: perActivity });
  }
  return message('offers.exceedsLines');
}
