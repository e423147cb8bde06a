import type { Rule } from '../format/rule';
import { EvaluationError } from '../language/evaluationError';
import { type FactRef, isFactRef, type ReadFact } from '../language/factRef';
import { factAccessor } from '../language/path';
import { readTableParams } from '../language/tableParams';
import type { LookupTable, LookupTables } from '../lookup/lookupTable';

/** Adds the fact `table` to a reader of facts, which reads the keys. */
export type TableReader = (read: ReadFact) => ReadFact;

/** A lookup of a rule: its table, and how its keys are read. */
interface Lookup {
  table: LookupTable;
  keys: readonly ((read: ReadFact) => unknown)[];
}

/** Makes the reader of the lookup tables of some rules of one program; undefined when they have none. */
export function tableReader(rules: readonly Rule[], tables: LookupTables): TableReader | undefined {
  const hashes = new Map(rules.flatMap(({ lookupTables = {} }) => Object.entries(lookupTables)));
  if (hashes.size === 0) return undefined;
  // Params are part of a rule set and never change, so each lookup is prepared once.
  const prepared = new WeakMap<object, Lookup>();
  const lookupOf = (params: FactRef['params']): Lookup => {
    const known = params && prepared.get(params);
    if (known) return known;
    const { name = '', keys = [] } = readTableParams(params) ?? {};
    const table = tables.get(hashes.get(name) ?? '');
    if (!table) throw new EvaluationError(`there is no lookup table "${name}"`);
    const made = { table, keys: keys.map(keyReader) };
    if (params) prepared.set(params, made);
    return made;
  };
  return (read) => {
    const withTables: ReadFact = (fact, params) => {
      if (fact !== 'table') return read(fact, params);
      const { table, keys } = lookupOf(params);
      return table.row(keys.map((key) => key(withTables)));
    };
    return withTables;
  };
}

function keyReader(key: unknown): (read: ReadFact) => unknown {
  if (!isFactRef(key)) return () => key;
  const select = factAccessor(key.path);
  return (read) => select(read(key.fact, key.params));
}
