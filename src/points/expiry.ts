import type { DateTime } from 'luxon';
import { addTerm, earliest, inZone } from './localCalendar';
import type { ExpiryTerms } from './terms';

/**
 * When points that join the balance at `from` expire, in the zone (DESIGN 9); undefined when they have no date of their
 * own: never, or by inactivity of the purse.
 */
export function expiryDate(from: Date, terms: ExpiryTerms | undefined, timezone: string): Date | undefined {
  if (!terms) return undefined;
  if (terms.type === 'rolling') return rolling(from, terms, timezone);
  if (terms.type === 'calendar') return calendar(from, terms, timezone);
  return undefined;
}

function rolling(from: Date, { value, unit, snap }: ExpiryTerms, timezone: string): Date | undefined {
  if (value === undefined || unit === undefined) return undefined;
  const date = addTerm(from, value, unit, timezone);
  const next = snap && snaps[snap];
  return next ? earliest(next(inZone(date, timezone).startOf('day'))) : date;
}

type Snap = NonNullable<ExpiryTerms['snap']>;

/** The local midnight that ends the period a day lies in; weeks run from Sunday to Saturday. */
const snaps: Record<Snap, ((day: DateTime) => DateTime) | undefined> = {
  none: undefined,
  endOfDay: (day) => day.plus({ days: 1 }),
  endOfWeek: (day) => day.plus({ days: 7 - (day.weekday % 7) }),
  endOfMonth: (day) => day.startOf('month').plus({ months: 1 }),
  endOfQuarter: (day) => day.startOf('quarter').plus({ quarters: 1 }),
  endOfYear: (day) => day.startOf('year').plus({ years: 1 }),
};

/** The local midnight after the first such day on or after earning, some years later; 29 February is then the 28th. */
function calendar(from: Date, { value = 0, month = 12, day = 31 }: ExpiryTerms, timezone: string): Date {
  const earned = inZone(from, timezone).startOf('day');
  const thisYear = dayOf(earned, earned.year, month, day);
  const first = thisYear < earned ? earned.year + 1 : earned.year;
  return earliest(dayOf(earned, first + value, month, day).plus({ days: 1 }));
}

function dayOf(like: DateTime, year: number, month: number, day: number): DateTime {
  const first = like.set({ year, month, day: 1 });
  return first.set({ day: Math.min(day, first.daysInMonth ?? day) });
}
