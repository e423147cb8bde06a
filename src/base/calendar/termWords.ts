import { Info } from 'luxon';
import { germanCount } from '#base/words/germanNumber';
import { inLanguage, type Language } from '#base/words/language';

/** A time of some units, in German alone or in the accusative: `3 days`, `1 Jahr`. An unknown unit appears by its name. */
export function termWords(value: number, unit: string, language: Language): string {
  return language === 'de' ? germanTerm(value, unit) : `${value} ${unit}${value === 1 ? '' : 's'}`;
}

function germanTerm(value: number, unit: string): string {
  const [one, many] = germanUnits.get(unit) ?? [unit, unit];
  return germanCount(value, one, many);
}

const germanUnits: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['minute', ['Minute', 'Minuten']],
  ['hour', ['Stunde', 'Stunden']],
  ['day', ['Tag', 'Tage']],
  ['week', ['Woche', 'Wochen']],
  ['month', ['Monat', 'Monate']],
  ['year', ['Jahr', 'Jahre']],
]);

/** The name of a month, 1 to 12; another value as it is. */
export function monthWords(month: number, language: Language): string {
  const name = Info.months('long', { locale: language })[month - 1];
  return name ?? String(month);
}

/** The period with whose end a term ends: `until the end of the month`. Undefined: the term ends with no period. */
export function snapWords(snap: unknown, language: Language): string | undefined {
  const period = periods.get(snap);
  return period && `${ends[language]} ${inLanguage(period, language)}`;
}

const ends = { en: 'until the end of', de: 'bis zum Ende' };

const periods: ReadonlyMap<unknown, Readonly<Record<Language, string>>> = new Map([
  ['endOfDay', { en: 'the day', de: 'des Tages' }],
  ['endOfWeek', { en: 'the week', de: 'der Woche' }],
  ['endOfMonth', { en: 'the month', de: 'des Monats' }],
  ['endOfQuarter', { en: 'the quarter', de: 'des Quartals' }],
  ['endOfYear', { en: 'the year', de: 'des Jahres' }],
  ['endOfMemberYear', { en: "the member's year", de: 'des Mitgliedsjahres' }],
]);
