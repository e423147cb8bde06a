import { type Static, Type } from '@sinclair/typebox';
import { record, text } from '../../schema/atoms';
import { when } from '../../schema/when';
import { amount, amountOf } from '../language/amount';
import { type FactRef, factRef } from '../language/factRef';
import { type ActionDefinition, actionShape } from './action';

/** A loyalty id as written: a text, or a part of the activity that holds it. */
const loyaltyId = Type.Unsafe<string | FactRef>({
  description: 'A loyalty id, or {fact: "activity", path}: where the activity names it',
  ...when({ type: 'object' }, factRef, text(100)),
});

const params = actionShape(
  'transferPoints',
  {
    purse: text(100, { description: 'Name of the purse policy that they leave' }),
    points: amount,
    toPurse: Type.Optional(text(100, { description: 'Name of another purse policy of the same member' })),
    toMember: Type.Optional(
      record(
        { loyaltyID: loyaltyId },
        { description: 'The same purse of another active member of the program; none: error 2200' },
      ),
    ),
  },
  'Moves points, those that expire first go first and keep their expiry; without enough of them: error 2100 (an overdraft cannot be given away)',
);

/** Moves points; an amount of 0 or less moves nothing. */
export const transferPoints: ActionDefinition<Static<typeof params>> = {
  type: 'transferPoints',
  params,
  effects({ type, purse, points: asked, toPurse, toMember }, { readFact, n }) {
    const points = amountOf(asked, readFact);
    if (points <= 0) return [];
    const toLoyaltyID = toMember && receiverOf(toMember.loyaltyID, readFact);
    return [
      { type, purse, points, n, ...(toPurse === undefined ? {} : { toPurse }), ...(toMember ? { toLoyaltyID } : {}) },
    ];
  },
};

/** The loyalty id that a `toMember` names; an empty text when the activity names none. */
export function receiverOf(loyaltyID: string | FactRef, readFact: (ref: FactRef) => unknown): string {
  const named = typeof loyaltyID === 'string' ? loyaltyID : readFact(loyaltyID);
  return typeof named === 'string' ? named : '';
}

export type TransferPoints = Static<typeof params>;
