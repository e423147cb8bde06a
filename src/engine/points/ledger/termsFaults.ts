import type { FieldError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { type ExpiryTerms, expiryKind, missingFields } from '#records/points/expiry/expiryTerms';
import type { EscrowTerms } from '#records/points/terms';

/**
 * Faults of escrow terms that the schema cannot express: a duration needs a value and a unit. Paths are below `escrow`.
 */
export function escrowFaults(terms: EscrowTerms | undefined): FieldError[] {
  if (terms?.type !== 'duration') return [];
  return (['value', 'unit'] as const)
    .filter((field) => terms[field] === undefined)
    .map((field) => required(`escrow.${field}`));
}

/** Faults of expiry terms that the schema cannot express: their type needs certain fields, and may refuse others. */
export function expiryFaults(terms: ExpiryTerms | undefined): FieldError[] {
  if (!terms) return [];
  const { positive = [], faults } = expiryKind(terms);
  const values: Readonly<Record<string, unknown>> = terms;
  const zero = positive.filter((field) => values[field] === 0);
  if (zero.length > 0)
    return zero.map((field) => ({ path: `expiry.${field}`, kind: 'minimum', ...message('points.minimumOne') }));
  const missing = missingFields(terms);
  if (missing.length > 0) return missing.map((field) => required(`expiry.${field}`));
  return (faults?.(terms) ?? []).map(({ path, ...fault }) => ({ path: `expiry.${path}`, ...fault }));
}

function required(path: string): FieldError {
  return { path, kind: 'required', ...message('schema.required') };
}
