import Big from 'big.js';
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
export function priceOf({ points, pointValue = 0 }: RewardCost, payPoints = points): Price {
  const money = new Big(points - payPoints).times(pointValue).round(0, Big.roundUp);
  return { points: payPoints, money: Number(money.toFixed()) };
}

/** Says why so many points cannot be paid for a reward, the rest in money; undefined when they can. */
export function priceFault(cost: RewardCost | undefined, payPoints: number): string | undefined {
  if (!cost) return 'costs no points';
  const { points, leastPoints = points } = cost;
  if (payPoints > points) return `costs ${points} points, not ${payPoints}`;
  if (payPoints < leastPoints) return `needs at least ${leastPoints} points, not ${payPoints}`;
  return Number.isSafeInteger(priceOf(cost, payPoints).money) ? undefined : 'costs too much money';
}
