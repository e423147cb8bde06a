import type { ObjectId } from 'bson';
import { derivedId } from '../db/records';
import type { Coupon } from './coupon';

/** A counter of the uses of an offer or reward; kept among those of limits and budgets. */
export interface UseCounter {
  id: ObjectId;
  max: number;
}

/** The counters that one use by a member counts in: of all members, and of this one; none where there is no bound. */
export function useCounters({ record: { _id, uses } }: Coupon, memberId: ObjectId): UseCounter[] {
  return [
    ...(uses?.total === undefined ? [] : [{ id: derivedId('uses', _id), max: uses.total }]),
    ...(uses?.perMember === undefined ? [] : [{ id: derivedId('uses', _id, memberId), max: uses.perMember }]),
  ];
}
