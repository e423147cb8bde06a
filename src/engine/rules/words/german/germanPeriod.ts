import type { MetricPeriod } from '../../language/metricPeriod';

/** A period after a metric: `im Monat`, `in den letzten 7 Tagen`, `bisher` for a lifetime. */
export function germanPeriod(period: MetricPeriod): string {
  if (typeof period === 'string') return periods.get(period) ?? period;
  if ('last' in period) {
    const [one, many] = units[period.unit];
    return period.last === 1 ? `in ${one}` : `in den letzten ${period.last} ${many}`;
  }
  if ('from' in period) return `vom ${period.from} bis ${period.to}`;
  const { year } = period;
  return year === 'enrolment'
    ? 'im Mitgliedsjahr seit der Anmeldung'
    : `im Mitgliedsjahr seit der Stufe in ${year.tier}`;
}

const periods: ReadonlyMap<string, string> = new Map([
  ['lifetime', 'bisher'],
  ['day', 'am Tag'],
  ['week', 'in der Woche'],
  ['month', 'im Monat'],
  ['quarter', 'im Quartal'],
  ['halfYear', 'im Halbjahr'],
  ['year', 'im Jahr'],
]);

const units = {
  hour: ['der letzten Stunde', 'Stunden'],
  day: ['dem letzten Tag', 'Tagen'],
  week: ['der letzten Woche', 'Wochen'],
  month: ['dem letzten Monat', 'Monaten'],
} as const;
