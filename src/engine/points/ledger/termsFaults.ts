import type { FieldError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { EscrowTerms, ExpiryTerms } from '#records/points/terms';

/** The most days that each month has; February has 29 in leap years. */
const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Faults of escrow terms that the schema cannot express: a duration needs a value and a unit. Paths are below `escrow`.
 */
export function escrowFaults(terms: EscrowTerms | undefined): FieldError[] {
  return terms?.type === 'duration' ? missing('escrow', { value: terms.value, unit: terms.unit }) : [];
}

/** Faults of expiry terms that the schema cannot express: each type needs certain fields, and the day must exist. */
export function expiryFaults(terms: ExpiryTerms | undefined): FieldError[] {
  if (terms?.type === 'rolling' || terms?.type === 'inactivity') return durationFaults(terms);
  if (terms?.type === 'calendar') return calendarFaults(terms);
  return [];
}

function durationFaults({ value, unit }: ExpiryTerms): FieldError[] {
  // With 0, points would expire at the instant of their award.
  if (value === 0) return [{ path: 'expiry.value', kind: 'minimum', ...message('points.minimumOne') }];
  return missing('expiry', { value, unit });
}

function calendarFaults({ month, day }: ExpiryTerms): FieldError[] {
  if (month === undefined || day === undefined) return missing('expiry', { month, day });
  if (day <= (daysOfMonth[month - 1] ?? 0)) return [];
  return [{ path: 'expiry.day', kind: 'date', ...message('points.noSuchDay', { month, day }) }];
}

function missing(parent: string, fields: Record<string, unknown>): FieldError[] {
  return Object.entries(fields)
    .filter(([, value]) => value === undefined)
    .map(([name]) => ({ path: `${parent}.${name}`, kind: 'required', ...message('schema.required') }));
}
