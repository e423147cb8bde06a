import type { MetricPeriod } from '../language/metricPeriod';

/** A period in words, after a metric: `of the month`, `of the last 7 days`, `so far` for a lifetime. */
export function periodPhrase(period: MetricPeriod): string {
  if (period === 'lifetime') return 'so far';
  if (typeof period === 'string') return `of the ${period === 'halfYear' ? 'half year' : period}`;
  if ('last' in period) {
    const { last, unit } = period;
    return last === 1 ? `of the last ${unit}` : `of the last ${last} ${unit}s`;
  }
  if ('from' in period) return `from ${period.from} to ${period.to}`;
  const { year } = period;
  return year === 'enrolment'
    ? "of the member's year since enrolment"
    : `of the member's year since its level in ${year.tier}`;
}
