import type { Static } from '@sinclair/typebox';
import { text } from '../../schema/atoms';
import { amount, amountOf } from '../language/amount';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape(
  'redeemPoints',
  { purse: text(100, { description: 'Name of the purse policy' }), points: amount },
  'Takes points; without enough of them the activity fails with error 2100',
);

/** Burns points of a purse; an amount of 0 or less burns nothing. */
export const redeemPoints: ActionDefinition<Static<typeof params>> = {
  type: 'redeemPoints',
  params,
  effects({ type, purse, points: asked }, { readFact, n }) {
    const points = amountOf(asked, readFact);
    return points <= 0 ? [] : [{ type, purse, points, n }];
  },
};

export type RedeemPoints = Static<typeof params>;
