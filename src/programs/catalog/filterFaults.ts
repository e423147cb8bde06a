import type { FieldError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { readLocal } from '#base/db/readLocal';
import { readFilter } from '#engine/filters/filterCriteria';
import { type FilterModel, filterFields } from '#engine/filters/filterFields';
import type { Request } from '#platform/http/route';
import type { RecordFilter } from '#records/catalog/filterShape';
import { namedListResource } from '#records/catalog/namedList';

/**
 * Finds faults that the schema cannot find in a filter of `model` stored at `path`. The references of the filter exist.
 */
export async function filterFaults(
  filter: RecordFilter | undefined,
  model: FilterModel,
  path: string,
  request: Pick<Request, 'services' | 'principal'>,
): Promise<FieldError[]> {
  if (!filter) return [];
  const { faults } = readFilter(filter, filterFields[model]);
  const own = [...faults, ...(await listFaults(filter, model, request))];
  return own.map((fault) => ({ ...fault, path: `${path}.${fault.path}` }));
}

async function listFaults(
  { inclusionparamsnamedList: id }: RecordFilter,
  model: FilterModel,
  { services, principal }: Pick<Request, 'services' | 'principal'>,
): Promise<FieldError[]> {
  if (!id) return [];
  const list = await collectionOf(services.db, namedListResource).findOne({ org: principal.org, _id: id }, readLocal);
  if (!list || list.model === undefined || list.model === model) return [];
  return [
    {
      path: 'inclusionparamsnamedList',
      kind: 'reference',
      ...message('catalog.listsOther', { model: list.model, other: model }),
    },
  ];
}
