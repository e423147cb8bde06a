import type { FieldError } from '#base/common/errors';
import { ServiceError } from '#base/common/errors';
import { jsonIn } from '#base/common/jsonIn';
import { message, pickMessage } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import { castValue } from '#base/query/castValue';
import type { Field, FieldTable } from '#base/query/fields';
import { guardRegex } from '#base/query/regex/guardRegex';
import { untypedValues } from '#base/query/untyped';
import { compileCheck } from '#base/schema/parse';
import { type InclusionParams, inclusionParamsShape, type RecordFilter } from '#records/catalog/filterShape';
import { wildcardSource } from './wildcardSource';

/** The values and patterns that a filter searches in one field. A record needs to match one of them. */
export interface Criterion {
  path: string;
  /** False when the criterion selects records that match none of them. */
  isIncluded: boolean;
  values: readonly unknown[];
  /** Texts with wildcards, see `wildcardSource`. */
  patterns: readonly string[];
}

/** A filter in a form that can be matched with records, or turned into a query. */
export interface Criteria {
  /** True when the filter selects the records that do not meet the criteria. */
  isComplement: boolean;
  /** True when a record needs to meet only one criterion. */
  isAny: boolean;
  criteria: readonly Criterion[];
  /** Hexadecimal id of a named list; being listed is one more criterion. */
  namedList?: string;
}

/** The most values of one field, and the most patterns of one filter. */
const valuesMax = 500;
const patternsMax = 50;

/**
 * A filter that was read, with its faults. It has no criteria when it restricts nothing. Paths are relative to the
 * filter.
 */
export interface ReadFilter {
  criteria?: Criteria;
  faults: FieldError[];
}

/**
 * Reads a filter against the fields of the model that it selects (docs/decisions/0007). Never throws. Only the writer
 * of a filter needs the faults; a stored filter has none.
 */
export function readFilter(filter: Omit<RecordFilter, 'query' | 'count'>, fields: FieldTable): ReadFilter {
  const { params, faults } = readParams(filter.inclusionParams);
  const criteria: Criterion[] = [];
  for (const [name, param] of Object.entries(params)) {
    const read = readParam(name, param, fields, filter.isWildCardSearch ?? false);
    if ('fault' in read) faults.push(read.fault);
    else if (read.values.length + read.patterns.length > 0) {
      criteria.push(read);
      faults.push(...patternFaults(read, fields.find(read.path)));
    }
  }
  if (criteria.reduce((sum, { patterns }) => sum + patterns.length, 0) > patternsMax) {
    faults.push({
      path: 'inclusionParams',
      kind: 'maxItems',
      ...message('catalog.tooManyPatterns', { max: patternsMax }),
    });
  }
  const namedList = filter.inclusionparamsnamedList?.toHexString();
  if (filter.isDisabled || (criteria.length === 0 && namedList === undefined)) return { faults };
  const isComplement = filter.isIncluded === false;
  const isAny = filter.isORQuery ?? false;
  return { criteria: { isComplement, isAny, criteria, ...(namedList === undefined ? {} : { namedList }) }, faults };
}

const checkParams = compileCheck(inclusionParamsShape);

/** Returns the criteria by field, parsed when they were sent as JSON text. */
export function readParams(sent: RecordFilter['inclusionParams'] = {}): {
  params: InclusionParams;
  faults: FieldError[];
} {
  if (typeof sent !== 'string') return { params: sent, faults: [] };
  const params = jsonIn(sent);
  if (!isParams(params)) {
    return { params: {}, faults: [{ path: 'inclusionParams', kind: 'type', ...message('catalog.notJsonObject') }] };
  }
  const faults = checkParams(params).map((fault) => ({ ...fault, path: `inclusionParams.${fault.path}` }));
  return { params: faults.length > 0 ? {} : params, faults };
}

/** Checks only that the value is an object. The schema checks its content afterwards. */
function isParams(value: unknown): value is InclusionParams {
  return isPlainObject(value);
}

function readParam(
  name: string,
  param: InclusionParams[string],
  fields: FieldTable,
  isWildcard: boolean,
): Criterion | { fault: FieldError } {
  const path = `inclusionParams.${name}`;
  // Below `ext` a number in the path would be an index of a list.
  const field = /(?:^|\.)\d+(?:\.|$)/.test(name) ? undefined : fields.find(name);
  if (!field) return { fault: { path, kind: 'additionalProperties', ...message('catalog.notSearchable') } };
  const { isIncluded = true, searchStr = '', ids = [], type } = param;
  const texts = [...new Set(searchStr.split(',').map((text) => text.trim()))].filter((text) => text !== '');
  if (texts.length > valuesMax) {
    return {
      fault: { path: `${path}.searchStr`, kind: 'maxItems', ...message('catalog.tooManyValues', { max: valuesMax }) },
    };
  }
  const isPattern = isWildcard && isTextual(field, type);
  try {
    const patterns = isPattern ? texts : [];
    const values = isPattern ? [] : texts.flatMap((text) => readValue(field, text, type, `${path}.searchStr`));
    return {
      path: field.path,
      isIncluded,
      values: [...values, ...ids.flatMap((id) => readId(field, id, path))],
      patterns,
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { fault: { path: `${path}.searchStr`, kind: 'type', ...pickMessage(error) } };
  }
}

function isTextual({ kind }: Field, type: string | undefined): boolean {
  return kind === 'string' || (kind === 'free' && /^(?:string|array)$/i.test(type ?? 'string'));
}

/**
 * Finds the faults of patterns in a database query; the patterns of one criterion count together. A faulty pattern
 * stays in its criterion: matching a record takes time linear in the text, and a filter without the pattern would
 * select more.
 */
function patternFaults({ patterns, path }: Criterion, field: Field | undefined): FieldError[] {
  if (!field || patterns.length === 0) return [];
  const where = `inclusionParams.${path}.searchStr`;
  const texts = { ...field.texts, count: field.texts.count * patterns.length };
  try {
    for (const text of patterns) guardRegex({ source: wildcardSource(text), options: 'is', texts, where });
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [{ path: where, kind: 'pattern', ...pickMessage(error) }];
  }
}

const kindsOfTypes: Record<string, Field['kind']> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  // Below `ext` dates are stored as text.
  date: 'dateText',
  objectid: 'objectId',
};

/**
 * Converts a value as the field stores it. A field without a schema uses the type that was sent, or else all possible
 * types.
 */
function readValue(field: Field, text: string, type: string | undefined, where: string): unknown[] {
  const kind = field.kind === 'free' ? kindsOfTypes[type?.toLowerCase() ?? ''] : field.kind;
  return kind === undefined ? untypedValues(text) : [castValue({ ...field, kind }, text, where)];
}

function readId(field: Field, id: string, path: string): unknown[] {
  const asId = castValue({ ...field, kind: 'objectId' }, id, `${path}.ids`);
  return field.kind === 'objectId' ? [asId] : [asId, id];
}
