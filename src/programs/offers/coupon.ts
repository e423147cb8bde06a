import { type Message, message } from '#base/common/messages/message';
import { effectiveFault } from '#base/schema/atoms';
import type { Offer } from '#records/offers/offer';
import type { Reward } from '#records/offers/reward';

/** The offer or reward that a code names. */
export type Coupon = { kind: 'offer'; record: Offer } | { kind: 'reward'; record: Reward };

/** The fields of an offer or reward that activity histories store. */
export interface CouponSnapshot {
  _id: Offer['_id'];
  code: string;
  name: string;
  kind: Coupon['kind'];
}

/** Copies the fields that activity histories store, so that later changes of the offer or reward do not matter. */
export function couponSnapshot({ kind, record: { _id, code, name } }: Coupon): CouponSnapshot {
  return { _id, code, name, kind };
}

/**
 * Says why an offer or reward may not be used in a program at a date.
 * @returns undefined when it may be used
 */
export function couponFault(
  { record: { program, effective } }: Coupon,
  used: { program: Offer['program']; date: Date },
): Message | undefined {
  if (!program.equals(used.program)) return message('offers.otherProgram');
  return effectiveFault(effective, used.date);
}
