import { addTerm } from '../../calendar/localCalendar';
import type { EscrowTerms } from '../../records/points/terms';

/** When points earned at `date` join the balance: at once, or a duration later in the program's time zone. */
export function releaseDate(date: Date, terms: EscrowTerms | undefined, timezone: string): Date {
  if (!terms || terms.type === 'none' || !terms.value || !terms.unit) return date;
  return addTerm(date, terms.value, terms.unit, timezone);
}
