/** A deep copy of a JSON value, much faster than `structuredClone`. The value nests at most 32 levels deep. */
export function copyJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) copy[key] = copyJson(Reflect.get(value, key));
  return copy;
}
