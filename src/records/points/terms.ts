import { type Static, Type } from '@sinclair/typebox';
import { termUnits } from '#base/calendar/localCalendar';
import { snaps, snapsOrNone } from '#base/calendar/snaps';
import { oneOf, record } from '#base/schema/atoms';

/**
 * Most units of a term. Two terms of so many years still end before the year 10000, so the service accepts every date
 * that it shows.
 */
export const termMax = 3650;

/** When points join the balance: at once, or a duration after the activity's date, in the program's time zone. */
export const escrowTerms = record({
  type: oneOf(['none', 'duration'], { description: "none: at once; duration: so long after the activity's date" }),
  value: Type.Optional(Type.Integer({ minimum: 0, maximum: termMax, description: 'How many units' })),
  unit: Type.Optional(oneOf(termUnits)),
});

/** A duration in the calendar of a program's time zone. */
export const durationShape = record({
  value: Type.Integer({ minimum: 1, maximum: termMax }),
  unit: oneOf(termUnits),
});

/** How long a level lasts, in the calendar of the program's time zone. With a snap it ends with a period. */
export const tierTermShape = record({
  value: Type.Integer({ minimum: 0, maximum: termMax, description: '0 only with a snap: until the end of the period' }),
  unit: oneOf(termUnits),
  snap: Type.Optional(
    oneOf([...snaps, 'endOfMemberYear'], {
      description: 'It ends with this period; endOfMemberYear: the year from an anniversary of the enrolment',
    }),
  ),
});

export type TierTerm = Readonly<Static<typeof tierTermShape>>;

/** A duration in that calendar. With a `snap` it is extended to the end of the day, week … in which it ends. */
export const snappedDurationShape = record({
  value: Type.Integer({ minimum: 1, maximum: termMax }),
  unit: oneOf(termUnits),
  snap: Type.Optional(oneOf(snapsOrNone, { description: 'It lasts until the end of this period' })),
});

export type SnappedDuration = Static<typeof snappedDurationShape>;

/** How long a member may be inactive before its points expire. */
export type InactivityTerms = SnappedDuration;

export type EscrowTerms = Static<typeof escrowTerms>;
