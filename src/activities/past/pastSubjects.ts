import { ObjectId } from 'bson';
import { isPlainObject } from '#base/common/plainObject';
import type { DecideInput } from '#engine/rules/decide/decideInput';
import type { ActivityHistory } from '#records/activities/activityHistory';

type Subjects = NonNullable<DecideInput['subjects']>;

/**
 * The subjects by which limits counted an activity when it was processed: the account of its member, and the coupons it
 * named.
 */
export function pastSubjects({
  account,
  coupon,
  couponCode,
  lineItems,
}: Pick<ActivityHistory, 'account' | 'coupon' | 'couponCode' | 'lineItems'>): Subjects {
  const named = [{ coupon, couponCode, offerId: undefined }, ...lineItems];
  return {
    ...(account ? { account } : {}),
    couponId: (reference) => {
      const found = named.find(
        (each) =>
          each.coupon !== undefined &&
          (reference.couponCode === undefined
            ? reference.offerId !== undefined && each.offerId?.equals(reference.offerId)
            : each.couponCode === reference.couponCode),
      );
      const id = isPlainObject(found?.coupon) ? found.coupon._id : undefined;
      return id instanceof ObjectId ? id.toHexString() : undefined;
    },
  };
}
