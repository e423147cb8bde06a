import type { ObjectId } from 'bson';
import { derivedId } from '#base/db/records';
import type { Coupon } from './coupon';

/** A counter of the uses of an offer or reward. It is stored with the counters of limits and budgets. */
export interface UseCounter {
  id: ObjectId;
  max: number;
}

/**
 * Returns the counters that a use by a member raises: one over all members, and one for this member. A use without a
 * maximum has no counter.
 */
export function useCounters({ record: { _id, uses } }: Coupon, memberId: ObjectId): UseCounter[] {
  return [
    ...(uses?.total === undefined ? [] : [{ id: derivedId('uses', _id), max: uses.total }]),
    ...(uses?.perMember === undefined ? [] : [{ id: derivedId('uses', _id, memberId), max: uses.perMember }]),
  ];
}
