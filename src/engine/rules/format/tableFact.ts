import { type TSchema, Type } from '@sinclair/typebox';
import { message } from '#base/common/messages/message';
import { anyValue, freeObject, list, record } from '#base/schema/atoms';
import { factRef, isFactRef } from '../language/factRef';
import { readTableParams, type TableParams } from '../language/tableParams';
import { lookupLimits } from '../lookup/lookupShape';
import type { LookupColumn } from '../lookup/lookupTable';
import { makeShapeCheck } from '../source/checkShape';
import { didYouMean } from '../source/nearest';
import type { JsonPath, RuleSource } from '../source/ruleSource';

/** A lookup table as rule files refer to it. */
export interface NamedLookup {
  name: string;
  /** Its columns. Absent when the table has a fault, which is reported elsewhere. */
  columns?: { keys: readonly LookupColumn[]; values: readonly LookupColumn[] };
}

const paramsShape = record({
  name: Type.String({ minLength: 1, maxLength: 100, description: 'Name of a lookup table of the program' }),
  keys: list(anyValue(), lookupLimits.keys, {
    minItems: 1,
    description:
      'A value for each key column, in their order: a text, number or boolean, or {"fact": …} with its value',
  }),
});

const checkParams = makeShapeCheck(paramsShape);
const checkRef = makeShapeCheck(factRef);

/** The fact `table`: the row of a lookup table. Rules may name only the tables in `tables`. */
export function tableFact(tables: readonly NamedLookup[]) {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const named = (params: unknown) => byName.get(readTableParams(params)?.name ?? '');
  return {
    description: 'The row of a lookup table with these keys: its value columns by name; missing when no row has them',
    shape: freeObject(),
    shapeWith: (params: unknown) => rowShape(named(params)?.columns?.values),
    keysWith: (params: unknown) => named(params)?.columns?.keys ?? [],
    params: {
      shape: paramsShape,
      check: (source: RuleSource, at: JsonPath, params: unknown) => isFit(source, at, params, byName),
    },
  };
}

function isFit(source: RuleSource, at: JsonPath, params: unknown, byName: ReadonlyMap<string, NamedLookup>): boolean {
  if (!checkParams(source, at, params)) return false;
  const before = source.faultCount;
  const { name, keys } = params as TableParams;
  const table = byName.get(name);
  if (!table) {
    source.error([...at, 'name'], didYouMean(message('rules.unknownLookupTable', { name }), name, byName.keys()));
  } else if (table.columns && keys.length !== table.columns.keys.length) {
    const columns = table.columns.keys.map((column) => column.name).join(', ');
    source.error([...at, 'keys'], message('rules.lookupKeyCount', { name, columns, found: keys.length }));
  }
  for (const [index, key] of keys.entries()) {
    if (isFactRef(key)) checkRef(source, [...at, 'keys', index], key);
    else if (!isScalar(key)) source.error([...at, 'keys', index], keyFault);
  }
  return source.faultCount === before;
}

const keyFault = message('rules.lookupKeyType');

function rowShape(values: readonly LookupColumn[] | undefined): TSchema | undefined {
  return values && record(Object.fromEntries(values.map(({ name, kind }) => [name, Type.Optional(shapes[kind])])));
}

const shapes: Record<LookupColumn['kind'], TSchema> = {
  text: Type.String(),
  number: Type.Number(),
  boolean: Type.Boolean(),
};

function isScalar(key: unknown): boolean {
  return typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean';
}
