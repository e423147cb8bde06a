import { Type } from '@sinclair/typebox';
import { message } from '#base/common/messages/message';
import { record, text } from '#base/schema/atoms';
import { ifThenElse } from '#base/schema/ifThenElse';
import { amount, computeAmount } from '../language/amount';
import { type FactRef, factRef } from '../language/factRef';
import { pointsText } from '../words/amountText';
import { germanAwardedPoints } from '../words/german/germanAmount';
import { germanValue } from '../words/german/germanValue';
import { valueText } from '../words/valueText';
import { defineAction } from './action';
import type { Transfer } from './actionTarget';

/** A loyalty id as a rule writes it: a text, or a reference to the part of the activity that contains it. */
const loyaltyId = Type.Unsafe<string | FactRef>({
  description: 'A loyalty id, or {fact: "activity", path}: where the activity names it',
  ...ifThenElse({ type: 'object' }, factRef, text(100)),
});

/** Moves points to another purse or member. An amount of 0 or less moves nothing. */
export const transferPoints = defineAction({
  type: 'transferPoints',
  description:
    'Moves points, those that expire first go first and keep their expiry; without enough of them: error 2100 (an overdraft cannot be given away)',
  params: {
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
  amounts: ['points'],
  names: ({ purse, toPurse }) => [
    { at: 'purse', kind: 'purse', name: purse },
    ...(toPurse === undefined ? [] : [{ at: 'toPurse', kind: 'purse' as const, name: toPurse }]),
  ],
  needs: ({ toMember }) => ({ items: true, ...(toMember && { receiver: toMember.loyaltyID }) }),
  check({ purse, toPurse, toMember }, check) {
    if ((toPurse === undefined) === (toMember === undefined)) {
      check.error([], message('rules.transferTarget'));
    } else if (toPurse === purse) check.error(['toPurse'], message('rules.transferToSamePurse'));
    if (typeof toMember?.loyaltyID !== 'object') return;
    const at = ['toMember', 'loyaltyID'];
    // The receiver is loaded before any rule is evaluated, so only the activity can name it.
    if (toMember.loyaltyID.fact !== 'activity') check.error(at, message('rules.receiverFromActivity'));
    else check.fact(at, toMember.loyaltyID);
  },
  points: 'transferred',
  onCancel: 'returned',
  words: {
    en: ({ purse, points, toPurse, toMember }) => {
      const to = toPurse === undefined ? `member ${valueText(toMember)}` : `purse ${valueText(toPurse)}`;
      return `transfer ${pointsText(points)} from the purse ${valueText(purse)} to the ${to}`;
    },
    de: ({ purse, points, toPurse, toMember }) => {
      const to =
        toPurse === undefined ? `zum Mitglied ${germanValue(toMember)}` : `in die Börse ${germanValue(toPurse)}`;
      return `${germanAwardedPoints(points)} aus der Börse ${germanValue(purse)} ${to} verschieben`;
    },
  },
  effects({ type, purse, points: requested, toPurse, toMember }, { readFact, position: n }) {
    const points = computeAmount(requested, readFact);
    if (points <= 0) return [];
    const to = {
      ...(toPurse === undefined ? {} : { toPurse }),
      ...(toMember ? { toLoyaltyID: transferReceiver(toMember.loyaltyID, readFact) } : {}),
    };
    return [{ type, purse, points, n, ...to } satisfies Transfer];
  },
  apply: (target, transfer, rule) => target.transferPoints(transfer, rule),
});

/** The loyalty id in a `toMember`; an empty string when the activity names none. */
export function transferReceiver(loyaltyID: string | FactRef, readFact: (ref: FactRef) => unknown): string {
  const named = typeof loyaltyID === 'string' ? loyaltyID : readFact(loyaltyID);
  return typeof named === 'string' ? named : '';
}
