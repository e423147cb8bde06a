import { type Static, Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { count, identifier, instant, objectId, oneOf, record, text } from '#base/schema/atoms';

export const lotStates = ['escrow', 'available', 'burned', 'expired', 'reversed'] as const;

/**
 * The fields of an accrual item, one award of points (SPEC "Accrual item", docs/design/points.md).
 * accruedPoints = escrowedPoints + availablePoints + burnedPoints + expiredPoints + reversedPoints, always.
 */
export const lotFields = {
  rule: Type.Optional(objectId('Rule', { description: 'Rule that awarded the item, or applied its offer' })),
  ruleVersion: Type.Optional(Type.Integer({ minimum: 1, description: 'Version of the rule set that awarded it' })),
  offer: Type.Optional(objectId('Offer', { description: 'Offer whose points they are' })),
  reward: Type.Optional(objectId('Reward', { description: 'Reward whose points they are' })),
  member: objectId('Member', { description: 'Member for whom the accrual was generated' }),
  activity: Type.Optional(objectId('ActivityHistory', { description: 'Parent activity' })),
  purse: objectId('PursePolicy', { description: 'Purse policy of the purse that holds the item' }),
  purseName: text(100, { description: 'Name of the purse' }),
  program: objectId('Program', { description: 'Program the item was generated from' }),
  accruedPoints: count(),
  escrowedPoints: count(),
  availablePoints: count(),
  burnedPoints: count(),
  expiredPoints: count(),
  reversedPoints: count(),
  /** The part of `burnedPoints` that repaid debt and was not restored since. */
  repaidPoints: count(),
  /** The time of the last repayment. Together with `repaidSeq` it orders restoring, also across several journals. */
  repaidAt: Type.Optional(instant()),
  /** The journal `seq` of the last repayment. */
  repaidSeq: Type.Optional(count()),
  /** The part of `burnedPoints` that a reversal of the award charged as debt; undone when restored. Absent means 0. */
  chargedPoints: Type.Optional(count()),
  /** The part of `burnedPoints` that a reversal of the award forgave; reversed when restored. Absent means 0. */
  forgivenPoints: Type.Optional(count()),
  /**
   * When its points joined its purse, if they came by a transfer. `dtEscrowsOn` is then that of the lot that they left.
   */
  joinedOn: Type.Optional(instant()),
  /** The `inactiveOn` that its points gave their purse when they joined it. Absent when the purse had one already. */
  inactivityUntil: Type.Optional(instant()),
  dtEarned: instant({ description: "When earned: the activity's date" }),
  dtEscrowsOn: instant({ description: 'When it joins the balance' }),
  dtExpiresOn: Type.Optional(instant({ description: 'When it expires; absent when never' })),
  expiresByInactivity: Type.Optional(
    Type.Boolean({ description: "Without a dtExpiresOn it expires at its purse's inactiveOn" }),
  ),
  hasEscrowed: Type.Boolean({ description: 'Its escrow has ended' }),
  hasExpired: Type.Boolean({ description: 'Some of its points expired' }),
  hasBurned: Type.Boolean({ description: 'Points were burned and nothing is left' }),
  state: oneOf(lotStates),
};

/** The key by which an item that was added by hand is added once. */
export const externalId = Type.Optional(
  identifier(255, {
    description: 'Unique in the org; an item that was added by hand may have one, so that it is added once',
  }),
);

/** Fields that only the ledger uses; they are not in responses. */
export const hiddenLotFields = [
  'repaidPoints',
  'repaidAt',
  'repaidSeq',
  'chargedPoints',
  'forgivenPoints',
  'joinedOn',
  'inactivityUntil',
] as const satisfies (keyof typeof lotFields)[];

export type HiddenLotField = (typeof hiddenLotFields)[number];

const lotShape = record(lotFields);

/** An accrual item as the ledger computes with it; values are replaced, never changed in place. */
export type Lot = Readonly<Static<typeof lotShape> & { _id: ObjectId }>;
