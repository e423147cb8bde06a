import type { FactRead } from '../rules/decision';
import { heldRecords } from '../rules/historyHolds';
import { keptParams } from '../rules/keptParams';

/** Most facts that a history keeps, and the longest value as JSON. */
const limits = { factsMax: 200, valueMax: 1000, elementsMax: 20 } as const;

/**
 * The facts that a history keeps so that its decision can be explained later. A value that is too long has `cut` and, of
 * a list, its first elements; one that was not there has neither `value` nor `cut`.
 */
export function keptFacts(reads: readonly FactRead[]): Record<string, unknown>[] {
  return reads
    .filter(({ fact }) => !heldRecords.has(fact))
    .slice(0, limits.factsMax)
    .map(({ fact, params, value, ...read }) => ({ fact, ...read, ...keptParams(params), ...keptValue(value) }));
}

function keptValue(value: unknown): Record<string, unknown> {
  if (value === undefined) return {};
  if (isShort(value)) return { value };
  const first = Array.isArray(value) ? value.slice(0, limits.elementsMax) : undefined;
  return { ...(first && isShort(first) ? { value: first } : {}), cut: true };
}

function isShort(value: unknown): boolean {
  const isText = typeof value === 'string';
  if (!isText && (typeof value !== 'object' || value === null)) return true;
  return (isText ? value : JSON.stringify(value)).length <= limits.valueMax;
}
