import { readableFields } from '#base/query/fields';
import type { Filter } from '#base/query/filter';
import { quote } from '#base/query/quote';
import { parseStoredQuery } from '#base/query/storedQuery';
import type { Resource } from '#base/schema/resource';
import type { NamedList } from '#records/catalog/namedList';

/** Makes the MongoDB query that selects, within the org, the records of a named list. */
export function namedListFilter(
  { name: listName, kind, ids = [], model, query }: NamedList,
  resources: readonly Resource[],
): Filter {
  if (kind === 'static') return { _id: { $in: ids } };
  const resource = resources.find(({ name }) => name === model);
  // Both were required and checked when the list was stored, so this is only a safeguard.
  if (!resource || query === undefined) return { _id: { $in: [] } };
  return parseStoredQuery(query, readableFields(resource), `Named list ${quote(listName)}: query`);
}
