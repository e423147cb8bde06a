import { addTerm } from './localCalendar';
import type { EscrowTerms } from './terms';

/** When points earned at `date` join the balance: at once, or the terms' duration later in the zone (DESIGN 9). */
export function releaseDate(date: Date, terms: EscrowTerms | undefined, timezone: string): Date {
  if (!terms || terms.type === 'none' || terms.value === undefined || terms.unit === undefined) return date;
  return addTerm(date, terms.value, terms.unit, timezone);
}
