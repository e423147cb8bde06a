import { localDay } from '#base/calendar/localCalendar';

/** The number of a calendar month in UTC: twelve for each year, and the months of the year before it. */
export function monthIndex(date: Date): number {
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The number of the month of a date, as an expression of MongoDB; see {@link monthIndex}. */
export function monthNumber(date: unknown) {
  return { $add: [{ $multiply: [{ $year: date }, 12] }, { $month: date }, -1] };
}

/** The month from which on the points of an accrual item can be redeemed, as an expression of MongoDB. */
export const startMonth = monthNumber({ $max: ['$createdAt', '$dtEscrowsOn'] });

/** The position of a date between the beginnings of months: the number of its month, and the part that has passed. */
export function monthPosition(date: Date): number {
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const [begin, end] = [Date.UTC(year, month), Date.UTC(year, month + 1)];
  return year * 12 + month + (date.getTime() - begin) / (end - begin);
}

/** The month of a date in an IANA time zone: YYYY-MM. */
export function monthText(date: Date, timezone: string): string {
  return localDay(date, timezone).toISOString().slice(0, 7);
}
