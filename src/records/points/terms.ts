import { type Static, Type } from '@sinclair/typebox';
import { termUnits } from '../../calendar/localCalendar';
import { oneOf, record } from '../../schema/atoms';

const snaps = ['none', 'endOfDay', 'endOfWeek', 'endOfMonth', 'endOfQuarter', 'endOfYear'] as const;

/** When points join the balance: at once, or a duration after the activity's date, in the program's time zone. */
export const escrowTerms = record({
  type: oneOf(['none', 'duration']),
  value: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  unit: Type.Optional(oneOf(termUnits)),
});

/** When points expire: never, a duration after they join the balance, on a day of the calendar, or by inactivity. */
export const expiryTerms = record({
  type: oneOf(['none', 'rolling', 'calendar', 'inactivity']),
  value: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  unit: Type.Optional(oneOf(termUnits)),
  snap: Type.Optional(oneOf(snaps)),
  month: Type.Optional(Type.Integer({ minimum: 1, maximum: 12 })),
  day: Type.Optional(Type.Integer({ minimum: 1, maximum: 31 })),
});

/** A duration in the calendar of a program's time zone. */
export const durationShape = record({
  value: Type.Integer({ minimum: 1, maximum: 10_000 }),
  unit: oneOf(termUnits),
});

/** How long a member may be inactive before its points expire. */
export const inactivityShape = record({
  value: Type.Integer({ minimum: 1, maximum: 10_000 }),
  unit: oneOf(termUnits),
  snap: Type.Optional(oneOf(snaps)),
});

export type InactivityTerms = Static<typeof inactivityShape>;

export type EscrowTerms = Static<typeof escrowTerms>;

export type ExpiryTerms = Static<typeof expiryTerms>;
