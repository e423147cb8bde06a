import { type Static, Type } from '@sinclair/typebox';
import { anyValue, count, ext, instant, list, named, objectId, record, signed, text } from '#base/schema/atoms';
import { commonFields } from '#base/schema/resource';
import { externalId, hiddenLotFields, lotFields } from './lot';
import { snappedDurationShape } from './terms';

const due = (description: string) => Type.Optional(record({ date: instant(), points: count() }, { description }));

/**
 * One member's balance under one purse policy, embedded in the member (docs/design/points.md).
 * balance = available + escrow - debt; availBalance = available - debt. availBalance is what the member can spend; it
 * is negative when the purse is in debt.
 */
export const purseShape = record({
  _id: objectId(),
  name: text(100),
  program: objectId('Program'),
  policyId: objectId('PursePolicy'),
  primary: Type.Boolean(),
  balance: signed({ description: 'Available and in escrow, less debt' }),
  availBalance: signed({ description: 'What can be spent; negative when in debt' }),
  escrowsIn: count({ description: 'Points in escrow' }),
  expiredPoints: count({ description: 'Points expired so far' }),
  expiresIn: count({ description: 'Points that expire next' }),
  nextEscrow: due('Points that join the balance next'),
  nextExpiry: due('Points that expire next'),
  inactiveOn: Type.Optional(instant({ description: 'When points expire that do so by inactivity' })),
  inactivity: Type.Optional(snappedDurationShape),
  overdraftLimit: count(),
  debt: count({ description: 'Points owed' }),
  accruedPoints: count({ description: 'Points accrued so far' }),
  burnedPoints: count({ description: 'Points burned so far' }),
  updatedAt: instant(),
});

/** A purse as the ledger computes with it; values are replaced, never changed in place. */
export type Purse = Readonly<Static<typeof purseShape>>;

const dueOrNone = anyValue({
  anyOf: [record({ date: instant(), points: count() }), { type: 'null' }],
  description: 'null when there is none',
});

const hidden = new Set<string>(hiddenLotFields);

/** An accrual item in an answer. One that the activity itself made is not stored yet, so it has no stamps. */
const shownLot = named(
  'PurseAccrual',
  record({
    ...Type.Partial(record(commonFields)).properties,
    _id: objectId('AccrualItem'),
    ext: ext(),
    externalId,
    ...Object.fromEntries(Object.entries(lotFields).filter(([name]) => !hidden.has(name))),
  }),
);

/** A purse in a response: it has every field, and the accrual items that an activity changed. */
export const shownPurseShape = named(
  'Purse',
  record({
    ...purseShape.properties,
    nextEscrow: dueOrNone,
    nextExpiry: dueOrNone,
    accruals: list(shownLot, 100, { description: 'What the activity touched; empty where there is none' }),
  }),
);

/** A {@link Purse} in a response. */
export type ShownPurse<A> = Omit<Purse, 'nextEscrow' | 'nextExpiry'> & {
  nextEscrow: Purse['nextEscrow'] | null;
  nextExpiry: Purse['nextExpiry'] | null;
  accruals: A[];
};
