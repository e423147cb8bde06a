import type { Offer } from '../records/offers/offer';
import type { Reward } from '../records/offers/reward';
import { effectiveFault } from '../schema/atoms';

/** What a code stands for: an offer or a reward. */
export type Coupon = { kind: 'offer'; record: Offer } | { kind: 'reward'; record: Reward };

/** The limited data of an offer or reward that histories keep. */
export interface CouponSnapshot {
  _id: Offer['_id'];
  code: string;
  name: string;
  kind: Coupon['kind'];
}

/** What histories keep of an offer or reward, whatever becomes of it later. */
export function couponSnapshot({ kind, record: { _id, code, name } }: Coupon): CouponSnapshot {
  return { _id, code, name, kind };
}

/** Why an offer or reward may not be used in a program at a date; undefined when it may. */
export function couponFault(
  { record: { program, effective } }: Coupon,
  used: { program: Offer['program']; date: Date },
): string | undefined {
  if (!program.equals(used.program)) return 'belongs to another program';
  return effectiveFault(effective, used.date);
}
