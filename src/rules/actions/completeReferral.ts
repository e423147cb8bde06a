import { type Static, Type } from '@sinclair/typebox';
import { text } from '../../schema/atoms';
import { amount, amountOf } from '../language/amount';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape(
  'completeReferral',
  {
    purse: text(100, { description: 'Name of the purse policy, for both members' }),
    points: Type.Optional({ ...amount, description: 'For the member' }),
    referrerPoints: Type.Optional({
      ...amount,
      description: 'For the owner of referralCode, else for the referredBy of the member',
    }),
  },
  'Awards the member and who referred it, once for each member that was referred; passed over otherwise',
);

/** Awards both members of a referral; amounts of 0 or less, and those left out, award nothing. */
export const completeReferral: ActionDefinition<Static<typeof params>> = {
  type: 'completeReferral',
  params,
  effects({ type, purse, points = 0, referrerPoints = 0 }, { readFact, n }) {
    const own = Math.max(0, amountOf(points, readFact));
    return [{ type, purse, points: own, referrerPoints: Math.max(0, amountOf(referrerPoints, readFact)), n }];
  },
};

export type CompleteReferral = Static<typeof params>;
