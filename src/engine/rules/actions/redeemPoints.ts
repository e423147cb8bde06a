import { text } from '#base/schema/atoms';
import { amount, computeAmount } from '../language/amount';
import { pointsText } from '../words/amountText';
import { germanAwardedPoints } from '../words/german/germanAmount';
import { germanValue } from '../words/german/germanValue';
import { valueText } from '../words/valueText';
import { defineAction } from './action';
import type { Redemption } from './actionTarget';

/** Burns points of a purse. An amount of 0 or less burns nothing. */
export const redeemPoints = defineAction({
  type: 'redeemPoints',
  description: 'Takes points; without enough of them the activity fails with error 2100',
  params: { purse: text(100, { description: 'Name of the purse policy' }), points: amount },
  amounts: ['points'],
  names: ({ purse }) => [{ at: 'purse', kind: 'purse', name: purse }],
  needs: () => ({ items: true }),
  points: 'redeemed',
  onCancel: 'returned',
  words: {
    en: ({ purse, points }) => `redeem ${pointsText(points)} from the purse ${valueText(purse)}`,
    de: ({ purse, points }) => `${germanAwardedPoints(points)} aus der Börse ${germanValue(purse)} nehmen`,
  },
  effects({ type, purse, points: requested }, { readFact, position: n }): (Redemption & { type: 'redeemPoints' })[] {
    const points = computeAmount(requested, readFact);
    return points <= 0 ? [] : [{ type, purse, points, n }];
  },
  apply: (target, redemption, rule) => target.redeemPoints(redemption, rule),
});
