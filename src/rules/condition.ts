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
