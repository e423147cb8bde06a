import { Type } from '@sinclair/typebox';
import { text } from '#base/schema/atoms';
import { amount, computeAmount } from '../language/amount';
import { pointsText } from '../words/amountText';
import { germanAwardedPoints } from '../words/german/germanAmount';
import { germanValue } from '../words/german/germanValue';
import { valueText } from '../words/valueText';
import { defineAction } from './action';

/** Awards points to both members of a referral. An amount of 0 or less, or an absent one, awards nothing. */
export const completeReferral = defineAction({
  type: 'completeReferral',
  description:
    'Gives points to the member and to the one who referred it, once for each referred member; else it does nothing, and result.log says why',
  params: {
    purse: text(100, { description: 'Name of the purse policy, for both members' }),
    points: Type.Optional({ ...amount, description: 'For the member' }),
    referrerPoints: Type.Optional({
      ...amount,
      description: 'For the member whose referralCode the activity has, else for the one in referredBy of the member',
    }),
  },
  amounts: ['points', 'referrerPoints'],
  names: ({ purse }) => [{ at: 'purse', kind: 'purse', name: purse }],
  needs: () => ({ referrer: true }),
  onCancel: 'returned',
  words: {
    en: ({ purse, points, referrerPoints }) => {
      const own = points === undefined ? '' : `, ${pointsText(points)} to the member`;
      const other = referrerPoints === undefined ? '' : `, ${pointsText(referrerPoints)} to who referred it`;
      return `complete the referral, in the purse ${valueText(purse)}${own}${other}`;
    },
    de: ({ purse, points, referrerPoints }) => {
      const own = points === undefined ? '' : `, ${germanAwardedPoints(points)} an das Mitglied`;
      const other = referrerPoints === undefined ? '' : `, ${germanAwardedPoints(referrerPoints)} an den Empfehlenden`;
      return `Empfehlung abschließen, in der Börse ${germanValue(purse)}${own}${other}`;
    },
  },
  effects({ type, purse, points = 0, referrerPoints = 0 }, { readFact, position: n }) {
    const own = Math.max(0, computeAmount(points, readFact));
    return [{ type, purse, points: own, referrerPoints: Math.max(0, computeAmount(referrerPoints, readFact)), n }];
  },
  apply: (target, award, rule) => target.completeReferral(award, rule),
});
