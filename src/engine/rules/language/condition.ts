/** One comparison: a fact, or what its path selects, against a value or another fact (json-rules-engine's format). */
export interface Comparison {
  fact: string;
  operator: string;
  value: unknown;
  path?: string;
  params?: Record<string, unknown>;
  priority?: number;
  name?: string;
}

interface Named {
  name?: string;
  priority?: number;
}

/** A condition in json-rules-engine's format with its references to named conditions expanded. */
export type Condition =
  | Comparison
  | (Named & { all: Condition[] })
  | (Named & { any: Condition[] })
  | (Named & { not: Condition });

/** Every comparison in a condition, in the order of the file. */
export function listComparisons(condition: Condition): Comparison[] {
  if ('all' in condition) return condition.all.flatMap(listComparisons);
  if ('any' in condition) return condition.any.flatMap(listComparisons);
  return 'not' in condition ? listComparisons(condition.not) : [condition];
}

/** The named lists in the value of `inNamedList`: one, or several with `someValue` or `everyValue`. */
export function listNames(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === 'string');
}
