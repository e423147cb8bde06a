import { dateTimeIn } from '../../time/zones';
import { isObject } from '../schema/fieldShape';
import type { Wording } from './wording';

type Said = Pick<Wording, 'translate' | 'locale' | 'zone'>;

/** The period of a limit in words: `a month`, `in 72 hours`. */
export function periodWords(period: unknown, { translate, locale, zone }: Said): string {
  const say = (key: string, values: Record<string, unknown> = {}) => translate(`rules.sentence.period.${key}`, values);
  if (typeof period === 'string') return say(period, { _: period });
  if (!isObject(period)) return '';
  if (typeof period.last === 'number') return say(`last.${String(period.unit)}`, { smart_count: period.last });
  if (period.year !== undefined) return say('ofMembership');
  return datesWords(period, { translate, locale, zone });
}

/** From when to when, in words: `November 2026` for a whole month. A bound that is missing is left out. */
export function datesWords({ from, to }: { from?: unknown; to?: unknown }, { translate, locale, zone }: Said): string {
  const [start, end] = [from, to].map((bound) => (typeof bound === 'string' ? bound : undefined));
  const month = start && end && wholeMonth(start, end);
  if (month) return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(month);
  const say = (key: string, values: Record<string, string>) => translate(`rules.sentence.dates.${key}`, values);
  const [begins, ends] = [start && dayWords(start, locale, zone), end && dayWords(end, locale, zone)];
  if (begins && ends) return say('both', { from: begins, to: ends });
  return begins ? say('from', { from: begins }) : say('to', { to: ends ?? '' });
}

/** The month whose first and last day two plain dates are. */
function wholeMonth(from: string, to: string): Date | undefined {
  const [first, last] = [from, to].map((text) => (plainDay.test(text) ? new Date(`${text}T00:00:00Z`) : undefined));
  if (!first || !last || first.getUTCDate() !== 1) return undefined;
  const end = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0));
  return end.getTime() === last.getTime() ? first : undefined;
}

const plainDay = /^\d{4}-\d{2}-\d{2}$/;

/** A plain date or an instant in words; what is no date yet, as it is written. */
function dayWords(text: string, locale: string, zone: string): string {
  const isPlain = plainDay.test(text);
  const day = new Date(isPlain ? `${text}T00:00:00Z` : text);
  if (Number.isNaN(day.getTime())) return text;
  if (!isPlain) return dateTimeIn(zone, day, locale);
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(day);
}
