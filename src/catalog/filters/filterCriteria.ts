import type { FieldError } from '../../common/errors';
import { ServiceError } from '../../common/errors';
import { castValue } from '../../query/castValue';
import type { Field, FieldTable } from '../../query/fields';
import { isPlainObject } from '../../query/parseJsonArgument';
import { guardRegex } from '../../query/regex/guardRegex';
import { untypedValues } from '../../query/untypedShorthand';
import { type InclusionParams, inclusionParamsShape, type RecordFilter } from '../../records/catalog/filterShape';
import { compileCheck } from '../../schema/parse';
import { wildcardSource } from './wildcardSource';

/** What is searched in one field: a record meets it by any of the values or patterns. */
export interface Criterion {
  path: string;
  /** False: met by the records that have none of them. */
  isIncluded: boolean;
  values: readonly unknown[];
  /** Texts with wildcards, see `wildcardSource`. */
  patterns: readonly string[];
}

/** What a filter asks, ready to be matched or made a query of. */
export interface Criteria {
  /** Selects the records that do not meet the criteria. */
  isComplement: boolean;
  /** One criterion is enough. */
  isAny: boolean;
  criteria: readonly Criterion[];
  /** Hexadecimal id of the named list that is one more criterion. */
  namedList?: string;
}

/** Values that one field is searched for, and patterns of one filter, at most. */
const valuesMax = 500;
const patternsMax = 50;

/** A filter as read: its criteria, none when it restricts nothing, and what is wrong with it, paths below the filter. */
export interface ReadFilter {
  criteria?: Criteria;
  faults: FieldError[];
}

/**
 * Reads a filter against the fields of what it selects (docs/decisions/0007). Never throws: faults are for whoever
 * stores a filter, and a stored one has none.
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
    faults.push({ path: 'inclusionParams', kind: 'maxItems', message: `has more than ${patternsMax} patterns` });
  }
  const namedList = filter.inclusionparamsnamedList?.toHexString();
  if (filter.isDisabled || (criteria.length === 0 && namedList === undefined)) return { faults };
  const isComplement = filter.isIncluded === false;
  const isAny = filter.isORQuery ?? false;
  return { criteria: { isComplement, isAny, criteria, ...(namedList === undefined ? {} : { namedList }) }, faults };
}

const checkParams = compileCheck(inclusionParamsShape);

/** The criteria by field, parsed when they are text. */
export function readParams(sent: RecordFilter['inclusionParams'] = {}): {
  params: InclusionParams;
  faults: FieldError[];
} {
  if (typeof sent !== 'string') return { params: sent, faults: [] };
  const params = parseText(sent);
  if (!isParams(params)) {
    return { params: {}, faults: [{ path: 'inclusionParams', kind: 'type', message: 'must hold a JSON object' }] };
  }
  const faults = checkParams(params).map((fault) => ({ ...fault, path: `inclusionParams.${fault.path}` }));
  return { params: faults.length > 0 ? {} : params, faults };
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An object only: what stands in it is checked by its schema after. */
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
  // Below `ext` a number would be a place in a list.
  const field = /(?:^|\.)\d+(?:\.|$)/.test(name) ? undefined : fields.find(name);
  if (!field) return { fault: { path, kind: 'additionalProperties', message: 'is not a field that can be searched' } };
  const { isIncluded = true, searchStr = '', ids = [], type } = param;
  const texts = [...new Set(searchStr.split(',').map((text) => text.trim()))].filter((text) => text !== '');
  if (texts.length > valuesMax) {
    return { fault: { path: `${path}.searchStr`, kind: 'maxItems', message: `has more than ${valuesMax} values` } };
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
    return { fault: { path: `${path}.searchStr`, kind: 'type', message: error.message } };
  }
}

function isTextual({ kind }: Field, type: string | undefined): boolean {
  return kind === 'string' || (kind === 'free' && /^(?:string|array)$/i.test(type ?? 'string'));
}

/**
 * What is wrong with patterns for the database, all of one criterion together. They stay a criterion: records are matched
 * with them in time that grows with the text, and a filter without them would select more.
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
    return [{ path: where, kind: 'pattern', message: error.message }];
  }
}

const kindsOfTypes: Record<string, Field['kind']> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  // Below `ext` dates are kept as text.
  date: 'dateText',
  objectid: 'objectId',
};

/** A value as the field stores it; where no schema says how, by the type that was sent, else every way it reads. */
function readValue(field: Field, text: string, type: string | undefined, where: string): unknown[] {
  const kind = field.kind === 'free' ? kindsOfTypes[type?.toLowerCase() ?? ''] : field.kind;
  return kind === undefined ? untypedValues(text) : [castValue({ ...field, kind }, text, where)];
}

function readId(field: Field, id: string, path: string): unknown[] {
  const asId = castValue({ ...field, kind: 'objectId' }, id, `${path}.ids`);
  return field.kind === 'objectId' ? [asId] : [asId, id];
}
