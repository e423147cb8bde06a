import Big from 'big.js';
import { type Message, message } from '#base/common/messages/message';
import type { RewardCost } from '#records/offers/reward';

/** What is paid for a reward: points, and money in minor units. */
export interface Price {
  points: number;
  money: number;
}

/**
 * The price of a reward of which so many points are paid: the money for the other points is exact, then rounded up once.
 * @param payPoints undefined: all is paid in points
 */
export function rewardPrice({ points, pointValue = 0 }: RewardCost, payPoints = points): Price {
  const money = new Big(points - payPoints).times(pointValue).round(0, Big.roundUp);
  return { points: payPoints, money: Number(money.toFixed()) };
}

/** Says why so many points cannot be paid for a reward, the rest in money; undefined when they can. */
export function priceFault(cost: RewardCost | undefined, payPoints: number): Message | undefined {
  if (!cost) return message('offers.costsNoPoints');
  const { points, leastPoints = points } = cost;
  if (payPoints > points) return message('offers.costs', { points, payPoints });
  if (payPoints < leastPoints) return message('offers.needsAtLeast', { leastPoints, payPoints });
  return Number.isSafeInteger(rewardPrice(cost, payPoints).money) ? undefined : message('offers.costsTooMuchMoney');
}
