import { weekdays } from '#base/calendar/dueTimes';
import { termWords } from '#base/calendar/termWords';
import { germanNumber } from '#base/words/germanNumber';
import type { Limit } from '../format/limitShape';
import type { Rule } from '../format/rule';
import { germanPoints, germanValue } from '../words/german/germanValue';

/** A limit in German: `500 Punkte je Mitglied und Tag`. */
export function germanLimit({ what, per, period, max, limitGroup }: Limit): string {
  const together = limitGroup === undefined ? '' : `, zusammen mit allen Grenzen der Gruppe ${germanValue(limitGroup)}`;
  return `${amounts[what](max)} ${owners[per]}${periodText(period, per === 'program' ? ' je' : ' und')}${together}`;
}

const amounts: Record<Limit['what'], (max: number) => string> = {
  points: germanPoints,
  times: (max) => `${germanNumber(max)}-mal`,
  amount: (max) => `die ersten ${germanNumber(max)} von dem, wofür es Punkte gibt,`,
};

const owners: Record<Limit['per'], string> = {
  member: 'je Mitglied',
  account: 'je Konto',
  location: 'je Ort',
  partner: 'je Partner',
  product: 'je Produkt',
  coupon: 'je Gutschein',
  program: 'im ganzen Programm',
};

function periodText(period: Limit['period'], and: string): string {
  if (typeof period === 'string') return period === 'lifetime' ? '' : `${and} ${periods[period]}`;
  if ('last' in period) return `, gerechnet über jeweils ${termWords(period.last, period.unit, 'de')}`;
  return 'from' in period ? ` vom ${period.from} bis ${period.to}` : `${and} Jahr seit der Anmeldung`;
}

const periods = {
  transaction: 'Aktivität',
  day: 'Tag',
  week: 'Woche',
  month: 'Monat',
  quarter: 'Quartal',
  year: 'Jahr',
} as const;

/** What happens beyond a limit. */
export const germanConsequences: Record<Limit['onExceed'], string> = {
  reduce: 'darüber gibt es nur den Rest',
  reject: 'darüber wird die Aktivität abgelehnt',
  skip: 'darüber greift die Regel nicht',
};

/** Who is free of a limit: activities without what it counts by. */
export function germanExemption({ per }: Limit): string {
  const subject = absent[per];
  return subject === undefined ? '' : `; ohne ${subject} gilt keine Grenze`;
}

const absent: Partial<Record<Limit['per'], string>> = {
  location: 'Ort',
  partner: 'Partner',
  product: 'Produkt',
  coupon: 'Gutschein',
};

/** The hours of a rule in German: `an Sa, So von 18:00 bis 22:00`. */
export function germanHours({ days, from, to, clock }: NonNullable<Rule['hours']>): string {
  const on = days ? [`an ${days.map((day) => dayNames[weekdays.indexOf(day)] ?? day).join(', ')}`] : [];
  const between = from || to ? [`von ${from ?? '00:00'} bis ${to ?? '24:00'}`] : [];
  return [...on, ...between, ...(clock === 'location' ? ['am Ort'] : [])].join(' ');
}

/** Days of the week, from Sunday on. */
export const dayNames = ['So', 'Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa'];
