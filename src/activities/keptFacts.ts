import { createHash } from 'node:crypto';
import type { FactRead } from '../rules/decision';

/** Most facts that a history keeps, and the longest value and params as JSON. */
const limits = { factsMax: 200, valueMax: 1000, elementsMax: 20, paramsMax: 300 } as const;

/** Facts that the history, its records or its rule set hold anyway. */
const heldAnyway: ReadonlySet<string> = new Set(['activity', 'lineItem', 'location', 'partner', 'now']);

/**
 * The facts that a history keeps so that its decision can be explained later. A value that is too long has `cut` and, of
 * a list, its first elements; long params have a hash instead: the rule set holds them.
 */
export function keptFacts(reads: readonly FactRead[]): Record<string, unknown>[] {
  return reads
    .filter(({ fact, value }) => !heldAnyway.has(fact) && value !== undefined)
    .slice(0, limits.factsMax)
    .map(({ params, value, ...read }) => ({ ...read, ...keptParams(params), ...keptValue(value) }));
}

function keptParams(params: FactRead['params']): Record<string, unknown> {
  if (params === undefined) return {};
  const text = JSON.stringify(params);
  if (text.length <= limits.paramsMax) return { params };
  return { paramsHash: createHash('sha256').update(text).digest('hex') };
}

function keptValue(value: unknown): Record<string, unknown> {
  if (isShort(value)) return { value };
  const first = Array.isArray(value) ? value.slice(0, limits.elementsMax) : undefined;
  return { ...(first && isShort(first) ? { value: first } : {}), cut: true };
}

function isShort(value: unknown): boolean {
  const isText = typeof value === 'string';
  if (!isText && (typeof value !== 'object' || value === null)) return true;
  return (isText ? value : JSON.stringify(value)).length <= limits.valueMax;
}
