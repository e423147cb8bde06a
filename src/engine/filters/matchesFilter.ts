import assert from 'node:assert';
import { ObjectId } from 'bson';
import { RE2JS } from 're2js';
import { valuesAt } from '#base/common/valuesAt';
import type { RecordFilter } from '#records/catalog/filterShape';
import { type Criteria, type Criterion, readFilter } from './filterCriteria';
import { type FilterModel, filterFields } from './filterFields';
import { wildcardSource } from './wildcardSource';

/** Data other than the record that matching needs. */
export interface FilterContext {
  /** The records of each named list that filters name: hexadecimal record ids by hexadecimal list id. */
  namedLists: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Tells whether a filter selects a record in its stored form. */
export type FilterMatch = (record: object, context: FilterContext) => boolean;

/** Tells whether a filter selects a record. Use {@link compileFilter} to match several records. Pure. */
export function matchesFilter(
  model: FilterModel,
  filter: Omit<RecordFilter, 'query' | 'count'>,
  record: object,
  context: FilterContext,
): boolean {
  return compileFilter(model, filter)(record, context);
}

/** Makes the matcher of a stored filter. It selects the same records as the query of the filter. */
export function compileFilter(model: FilterModel, filter: Omit<RecordFilter, 'query' | 'count'>): FilterMatch {
  const { criteria } = readFilter(filter, filterFields[model]);
  return criteria ? compileMatch(criteria) : () => true;
}

function compileMatch({ criteria, isAny, isComplement, namedList }: Criteria): FilterMatch {
  const matches = [...criteria.map(criterionMatch), ...(namedList === undefined ? [] : [listMatch(namedList)])];
  return (record, context) => {
    const isMet = isAny
      ? matches.some((match) => match(record, context))
      : matches.every((match) => match(record, context));
    return isMet !== isComplement;
  };
}

function listMatch(id: string): FilterMatch {
  return (record, { namedLists }) => {
    const listed = namedLists.get(id);
    assert(listed, 'named lists of filters are resolved before records are matched');
    return '_id' in record && listed.has(String(record._id));
  };
}

function criterionMatch({ path, isIncluded, values, patterns }: Criterion): FilterMatch {
  const wanted = new Set(values.map(comparisonKey));
  const isWanted = (key: string | undefined) => key !== undefined && wanted.has(key);
  const regexes = patterns.map(compilePattern);
  return (record) => {
    const isMet = valuesAt(record, path).some(
      (value) =>
        isWanted(comparisonKey(value)) ||
        (typeof value === 'string' && regexes.some((regex) => regex.matcher(value).find())),
    );
    return isMet === isIncluded;
  };
}

/** In MongoDB `$` also matches before a line break at the end of the text. */
function compilePattern(text: string): RE2JS {
  return RE2JS.compile(wildcardSource(text, '\\n?\\z'), RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL);
}

/**
 * Makes a key that differs for values of different types with the same text. Objects have none: a filter cannot name
 * them.
 */
function comparisonKey(value: unknown): string | undefined {
  if (value instanceof ObjectId) return `id ${value.toHexString()}`;
  if (value instanceof Date) return `date ${value.getTime()}`;
  if (typeof value === 'object' && value !== null) return undefined;
  return `${typeof value} ${String(value)}`;
}
