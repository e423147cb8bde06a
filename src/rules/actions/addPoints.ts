import { type Static, Type } from '@sinclair/typebox';
import { escrowTerms, expiryTerms } from '../../records/points/terms';
import { text } from '../../schema/atoms';
import { amount, amountOf } from '../language/amount';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape(
  'addPoints',
  {
    purse: text(100, { description: 'Name of the purse policy' }),
    points: amount,
    escrow: Type.Optional({
      ...escrowTerms,
      description: "When they join the balance, in place of the purse policy's; none: at once",
    }),
    expiry: Type.Optional({
      ...expiryTerms,
      description: "When they expire, in place of the purse policy's; inactivity can only be chosen there",
    }),
  },
  'Awards points',
);

/** Awards points to a purse; an amount of 0 or less awards nothing. */
export const addPoints: ActionDefinition<Static<typeof params>> = {
  type: 'addPoints',
  params,
  effects({ type, purse, points: asked, escrow, expiry }, { readFact, n }) {
    const points = amountOf(asked, readFact);
    if (points <= 0) return [];
    return [{ type, purse, points, n, ...(escrow && { escrow }), ...(expiry && { expiry }) }];
  },
};

export type AddPoints = Static<typeof params>;
