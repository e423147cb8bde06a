import { fromInputText, toInputText } from '../time/zones';

/** A period of the overview: whole days of the program, up to now or to the end of a day. */
export interface Period {
  /** The first day, YYYY-MM-DD. */
  fromDay: string;
  /** The last day. */
  toDay: string;
  /** ISO 8601. */
  from: string;
  /** The instant after it. Absent: now. */
  to?: string;
  by: 'hour' | 'day' | 'week' | 'month';
  isUntilToday: boolean;
}

const dayMs = 86_400_000;

/** The period that an address names by its first and last day; by default the last 30 days. */
export function periodOf(search: URLSearchParams, zone: string, now: number): Period {
  const today = dayOf(now, zone);
  const toDay = validDay(search.get('to')) ?? today;
  const fromDay = validDay(search.get('from')) ?? addDays(toDay, -29);
  const isTurned = fromDay > toDay;
  const begin = isTurned ? toDay : fromDay;
  const isUntilToday = toDay >= today;
  const days = (Date.parse(toDay) - Date.parse(begin)) / dayMs + 1;
  return {
    fromDay: begin,
    toDay,
    isUntilToday,
    by: days <= 2 ? 'hour' : days <= 92 ? 'day' : days <= 750 ? 'week' : 'month',
    from: startOf(begin, zone),
    ...(isUntilToday ? {} : { to: startOf(addDays(toDay, 1), zone) }),
  };
}

/** The day of an instant in a zone, YYYY-MM-DD. */
export function dayOf(moment: number, zone: string): string {
  return toInputText(moment, zone).slice(0, 10);
}

/** The day that is so many days later. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
}

function startOf(day: string, zone: string): string {
  return fromInputText(`${day}T00:00`, zone) ?? `${day}T00:00:00.000Z`;
}

function validDay(text: string | null): string | undefined {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}
