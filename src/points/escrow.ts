import { strict as assert } from 'node:assert';
import { instantOf, valid, type WallTime, wallTime } from './localInstant';
import type { EscrowTerms, TermUnit } from './terms';

/** When points earned at `date` join the balance: at once, or a duration later in the program's time zone. */
export function releaseDate(date: Date, terms: EscrowTerms | undefined, timezone: string): Date {
  if (!terms || terms.type === 'none' || !terms.value) return date;
  assert(terms.unit, 'A duration needs a unit');
  return addDuration(date, terms.value, terms.unit, timezone);
}

/**
 * A point in time some units later. Minutes and hours are exact; days and longer keep the local time of day, and a day
 * that the month does not have becomes its last.
 */
export function addDuration(from: Date, value: number, unit: TermUnit, timezone: string): Date {
  const ms = exactMs[unit];
  if (ms !== undefined) return new Date(from.getTime() + value * ms);
  return instantOf(addToWall(wallTime(from, timezone), value, unit), timezone);
}

function addToWall(wall: WallTime, value: number, unit: TermUnit): WallTime {
  return valid(wall.plus({ [unit]: value }));
}

const exactMs: Partial<Record<TermUnit, number>> = { minute: 60_000, hour: 3_600_000 };
