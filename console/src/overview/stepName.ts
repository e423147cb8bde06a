import type { ProgramReport } from './answers';

const formats: Record<ProgramReport['by'], Intl.DateTimeFormatOptions> = {
  hour: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short', year: '2-digit' },
  month: { month: 'short', year: 'numeric' },
};

/** What a step of a report is called in a zone. */
export function stepName(at: string, by: ProgramReport['by'], zone: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { ...formats[by], timeZone: zone }).format(new Date(at));
}
