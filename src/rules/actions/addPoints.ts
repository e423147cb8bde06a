import { type Static, Type } from '@sinclair/typebox';
import { escrowTerms, expiryTerms } from '../../points/terms';
import { text } from '../../schema/atoms';
import { amount, amountOf } from '../amount';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape(
  'addPoints',
  {
    purse: text(100, { description: 'Name of the purse policy' }),
    points: amount,
    escrow: Type.Optional(escrowTerms),
    expiry: Type.Optional(expiryTerms),
  },
  "Awards points; escrow and expiry default to the purse policy's",
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
