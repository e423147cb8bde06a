import { type Static, Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { count, instant, objectId, oneOf, record, signed } from '#base/schema/atoms';

/** The kinds of entries that the ledger posts. */
export const postedKinds = [
  'accrue',
  'release',
  'burn',
  'expire',
  'reverse',
  'restore',
  'repay',
  'transferIn',
  'transferOut',
  'adjust',
] as const;

/**
 * The kinds of entries that are stored. An `opening` stands for the archived entries of a purse, and has the number of the
 * last of them (docs/design/archive.md).
 */
export const journalKinds = [...postedKinds, 'opening'] as const;

/** The fields of a journal entry: one signed change of a purse, append-only (docs/design/points.md). */
export const journalFields = {
  member: objectId('Member'),
  purse: objectId('PursePolicy'),
  seq: Type.Integer({ minimum: 1, description: '1, 2, 3 ... per member without a gap' }),
  kind: oneOf(journalKinds),
  available: signed(),
  escrow: signed(),
  debt: signed(),
  points: signed({ description: 'available + escrow - debt' }),
  accrualItem: Type.Optional(objectId('AccrualItem')),
  activity: Type.Optional(objectId('ActivityHistory')),
  rule: Type.Optional(objectId('Rule')),
  ruleVersion: Type.Optional(count()),
  offer: Type.Optional(objectId('Offer', { description: 'Offer that gave the points' })),
  reward: Type.Optional(objectId('Reward', { description: 'Reward that gave the points, or whose cost they are' })),
  at: instant({ description: 'When it took effect' }),
  balanceAfter: signed({ description: "The purse's balance after this entry" }),
  availAfter: signed({ description: "The purse's availBalance after this entry" }),
};

const journalShape = record(journalFields);

/** A journal entry as the ledger posts it. It gets its id when it is stored; its member and `seq` are unique. */
export type PostedEntry = Readonly<Omit<Static<typeof journalShape>, 'kind'> & { kind: PostedKind }>;

/** A journal entry as it is stored. */
export type JournalEntry = Readonly<Static<typeof journalShape> & { _id: ObjectId }>;
export type PostedKind = (typeof postedKinds)[number];
export type JournalKind = (typeof journalKinds)[number];
