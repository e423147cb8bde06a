import { type LookupDeclaration, lookupShape } from '../lookup/lookupShape';
import { makeShapeCheck } from '../source/checkShape';
import type { JsonPath, RuleSource } from '../source/ruleSource';

/** The declaration of a lookup table and its position in a file. */
export interface LookupEntry {
  source: RuleSource;
  at: JsonPath;
  /** Without a fault of its own. */
  declared: LookupDeclaration;
}

const checkShape = makeShapeCheck(lookupShape);

/** Whether a value of a rule file declares a lookup table. */
export function isLookup(value: unknown): value is { lookupTable: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'lookupTable' in value;
}

/** The declarations of lookup tables among the values of rule files. A faulty one is reported and left out. */
export function lookupEntries(written: readonly { source: RuleSource; at: JsonPath; value: unknown }[]): LookupEntry[] {
  return written.flatMap(({ source, at, value }) =>
    isLookup(value) && checkShape(source, at, value) ? [{ source, at, declared: value as LookupDeclaration }] : [],
  );
}

/** The names of the CSV files that lookup tables take their rows from. `values` are those of rule files. */
export function lookupFiles(values: readonly unknown[]): Set<unknown> {
  return new Set(values.flat().flatMap((value) => (isLookup(value) && 'csv' in value ? [value.csv] : [])));
}
