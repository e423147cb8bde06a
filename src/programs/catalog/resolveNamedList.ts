import type { ObjectId } from 'bson';
import { queryLimits } from '#base/query/queryLimits';
import { namedListFilter } from '#engine/filters/namedListFilter';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { type NamedList, namedListMax } from '#records/catalog/namedList';

/**
 * Returns the hexadecimal ids of the records in a named list, at most {@link namedListMax}, the oldest first.
 * @param among limits the result to these records; then it is exact for a list of any length
 */
export async function resolveNamedList(
  { db, resources }: Pick<Infrastructure, 'db' | 'resources'>,
  list: NamedList,
  among?: readonly ObjectId[],
): Promise<ReadonlySet<string>> {
  if (list.kind === 'static') return staticIds(list, among);
  const resource = resources.find(({ name }) => name === list.model);
  if (!resource) return new Set();
  const idFilters = among ? [{ _id: { $in: [...among] } }] : [];
  const found = await db
    .collection<{ _id: ObjectId }>(resource.path)
    .find({ $and: [{ org: list.org }, ...idFilters, namedListFilter(list, resources)] }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(namedListMax)
    .maxTimeMS(queryLimits.timeMaxMs)
    .toArray();
  return new Set(found.map(({ _id }) => _id.toHexString()));
}

function staticIds({ ids = [] }: NamedList, among: readonly ObjectId[] | undefined): ReadonlySet<string> {
  const listed = new Set(ids.map((id) => id.toHexString()));
  return among ? new Set(among.map((id) => id.toHexString()).filter((id) => listed.has(id))) : listed;
}
