import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import type { Filter } from '#base/query/filter';
import { queryLimits } from '#base/query/queryLimits';
import { readFilter } from '#engine/filters/filterCriteria';
import { type FilterModel, filterFields } from '#engine/filters/filterFields';
import { filterQuery } from '#engine/filters/filterQuery';
import { namedListFilter } from '#engine/filters/namedListFilter';
import type { Reading } from '#platform/recordWrites/recordRules';
import type { InclusionParams, RecordFilter } from '#records/catalog/filterShape';
import { namedListResource } from '#records/catalog/namedList';
import { type CountRecords, createCounter } from './countRecords';

type Answered = Record<string, unknown>;

/** The fields with filters, and the model that each filter selects. */
const models = { productFilter: 'Product', locationFilter: 'Location' } as const satisfies Record<string, FilterModel>;
const names = ['productFilter', 'locationFilter'] as const;

/**
 * Adds the computed fields to the filters of answered records: `query`, `count`, and `isSubDoc` of each criterion. A
 * query longer than a read accepts is left out, and so is a count that takes too long.
 */
export async function presentFilters(docs: Answered[], reading: Reading): Promise<Answered[]> {
  // The client selected parts of filters, so the answer has no whole filter to complete.
  if (reading.query.select?.includes('Filter.')) return docs;
  const scope = {
    lists: await listFilters(docs, reading),
    countRecords: createCounter(reading.services.db, reading.principal.org),
  };
  const presented: Answered[] = [];
  for (const doc of docs) presented.push({ ...doc, ...(await presentedFilters(doc, scope)) });
  return presented;
}

interface Scope {
  /** Queries of named lists by hexadecimal id. */
  lists: ReadonlyMap<string, Filter>;
  countRecords: CountRecords;
}

async function presentedFilters(doc: Answered, scope: Scope): Promise<Answered> {
  const filters: Answered = {};
  for (const name of names) {
    const filter = answeredFilter(doc, name);
    if (filter) filters[name] = await presentFilter(filter, models[name], scope);
  }
  return filters;
}

async function presentFilter(filter: RecordFilter, model: FilterModel, scope: Scope): Promise<RecordFilter> {
  const { criteria, faults } = readFilter({ ...filter, ...shownNamedList(filter) }, filterFields[model]);
  // The filter was stored when the limits of reads were wider.
  if (faults.length > 0) return withSubDocs(filter);
  const query = filterQuery(criteria, scope.lists.get(criteria?.namedList ?? ''));
  const text = JSON.stringify(query);
  const count = await scope.countRecords(model, query, text);
  return {
    ...withSubDocs(filter),
    ...(Buffer.byteLength(text) <= queryLimits.argumentMaxBytes ? { query: text } : {}),
    ...(count === undefined ? {} : { count }),
  };
}

function answeredFilter(doc: Answered, name: string): RecordFilter | undefined {
  const filter = doc[name];
  return typeof filter === 'object' && filter !== null ? filter : undefined;
}

/** The id of a filter's named list, which may be populated. */
function shownNamedList({ inclusionparamsnamedList: list }: Answered): { inclusionparamsnamedList?: ObjectId } {
  const id: unknown = typeof list === 'object' && list !== null && '_id' in list ? list._id : list;
  return id instanceof ObjectId ? { inclusionparamsnamedList: id } : {};
}

function withSubDocs(filter: RecordFilter): RecordFilter {
  const { inclusionParams } = filter;
  if (inclusionParams === undefined || typeof inclusionParams === 'string') return filter;
  const completed: InclusionParams = Object.fromEntries(
    Object.entries(inclusionParams).map(([name, param]) => [
      name,
      { ...param, isSubDoc: (param.ids ?? []).length > 0 },
    ]),
  );
  return { ...filter, inclusionParams: completed };
}

/** Makes the queries of all named lists that the filters of these records name, by hexadecimal id. */
async function listFilters(docs: Answered[], reading: Reading): Promise<ReadonlyMap<string, Filter>> {
  const ids = docs.flatMap((doc) =>
    names.flatMap((name) => {
      const filter = answeredFilter(doc, name);
      const { inclusionparamsnamedList: id } = filter ? shownNamedList(filter) : {};
      return id ? [id] : [];
    }),
  );
  if (ids.length === 0) return new Map();
  const { services, principal } = reading;
  const lists = await collectionOf(services.db, namedListResource)
    .find({ org: principal.org, _id: { $in: ids } })
    .toArray();
  return new Map(lists.map((list) => [list._id.toHexString(), namedListFilter(list, services.resources)]));
}
