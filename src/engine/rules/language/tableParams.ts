import { type FactRef, isFactRef } from './factRef';

/** The params of a reference to the fact `table`: the name of the table, and a value or a fact for each key column. */
export interface TableParams {
  name: string;
  keys: readonly unknown[];
}

/** The name and keys of a reference to `table`; undefined when its params are invalid. */
export function readTableParams(params: unknown): TableParams | undefined {
  if (typeof params !== 'object' || params === null || !('name' in params) || !('keys' in params)) return undefined;
  const { name, keys } = params;
  return typeof name === 'string' && Array.isArray(keys) ? { name, keys } : undefined;
}

/** The facts in the keys of a reference to `table`; none for other facts. */
function keyRefs({ fact, params }: FactRef): FactRef[] {
  if (fact !== 'table') return [];
  return (readTableParams(params)?.keys ?? []).filter(isFactRef);
}

/** A reference and those in its keys, and in their keys. */
export function withKeys(ref: FactRef): FactRef[] {
  return [ref, ...keyRefs(ref).flatMap(withKeys)];
}
