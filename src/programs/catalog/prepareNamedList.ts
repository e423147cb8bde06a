import type { ObjectId } from 'bson';
import { type FieldError, ServiceError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { existingIds } from '#base/db/existingIds';
import { readLocal } from '#base/db/readLocal';
import { readableFields } from '#base/query/fields';
import { queryFaults } from '#base/query/storedQuery';
import type { Resource } from '#base/schema/resource';
import { referringFaults } from '#platform/recordWrites/requireUnused';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import { type NamedList, namedListResource } from '#records/catalog/namedList';
import { missingInQuery } from './names/missingNames';

/**
 * Checks rules of a named list that the schema cannot express. The body is checked as it will be stored: its model
 * exists and does not change, the ids of a static list exist, and its query is valid for the model. An unused query is
 * checked too.
 * @throws ServiceError 1200 naming every field in error; 1130 when the author may not read the listed records
 */
export async function prepareNamedList(
  body: Partial<NamedList>,
  context: OrgContext,
  previous?: NamedList,
): Promise<Partial<NamedList>> {
  const list = { ...previous, ...body };
  const model = context.services.resources.find(({ name }) => name === list.model);
  const faults = [
    ...(await modelFaults(list, previous, context)),
    ...(list.kind === 'query' || list.query !== undefined ? listQueryFaults(list, model) : []),
    ...(body.query && list.model !== undefined ? await missingInQuery(body.query, list.model, context) : []),
    ...(model && body.ids ? await idFaults(body.ids, model, context) : []),
  ];
  if (faults.length > 0) throw validationError(faults);
  if (model) requireReadable(model, context);
  return body;
}

/** Stored filters were checked against the model of the lists that they name. */
async function modelFaults(
  { model }: Partial<NamedList>,
  previous: NamedList | undefined,
  context: OrgContext,
): Promise<FieldError[]> {
  if (model === previous?.model) return [];
  if (model === undefined) return previous ? referringFaults(namedListResource, previous._id, 'model', context) : [];
  if (previous?.model !== undefined) return [{ path: 'model', kind: 'readOnly', ...message('catalog.cannotChange') }];
  if (context.services.resources.some(({ name }) => name === model)) return [];
  return [{ path: 'model', kind: 'reference', ...message('catalog.noModel') }];
}

function listQueryFaults({ query, model }: Partial<NamedList>, found: Resource | undefined): FieldError[] {
  const missing = Object.entries({ model, query }).filter(([, value]) => value === undefined);
  if (missing.length > 0) {
    return missing.map(([path]) => ({ path, kind: 'required', ...message('catalog.requiredWithQuery') }));
  }
  return query !== undefined && found ? queryFaults(query, readableFields(found), 'query') : [];
}

async function idFaults(
  ids: readonly ObjectId[],
  { path, name }: Resource,
  context: OrgContext,
): Promise<FieldError[]> {
  const existing = await existingIds(context.services.db, context.principal.org, path, ids, readLocal);
  return ids.flatMap((id, index) =>
    existing.has(id.toHexString())
      ? []
      : [{ path: `ids.${index}`, kind: 'reference', ...message('refs.noRecord', { name }) }],
  );
}

/** A list reveals records, so its author must have the permission to read them. */
function requireReadable({ path, permissions }: Resource, { principal }: OrgContext): void {
  const permission = permissions.read;
  if (principal.permissions.has(permission)) return;
  throw new ServiceError('forbidden', message('catalog.permissionToList', { permission, path }));
}
