import { invalidField, ServiceError } from '#base/common/errors';
import { message, pickMessage } from '#base/common/messages/message';
import { castValue } from '#base/query/castValue';
import { readableFields } from '#base/query/fields';
import type { Filter } from '#base/query/filter';
import { conjunction } from '#base/query/keyedCondition';
import { fieldFilter, requireField } from '#base/query/parseFilter';
import type { Found } from '#base/query/read/found';
import { readList } from '#base/query/read/read';
import { type Projection, parseSelect } from '#base/query/select';
import { joinPath } from '#base/schema/joinPath';
import type { Resource } from '#base/schema/resource';
import { requirePermission } from '#platform/auth/authenticate';
import { requestReader } from '#platform/http/collection/readHandlers';
import type { Request } from '#platform/http/route';
import type { Lookup } from './bodyDirective';

/**
 * Finds the value of a lookup, as JSON. It takes the matching record with the smallest id, and answers the selected
 * field, or an object when several fields are selected. Fields that the client may not read are not found.
 * @param path dotted path of the directive, for messages
 * @throws ServiceError 1130 without the read permission of the model, and for the model User; 1200 for an unknown model
 *   or field, a value that does not fit its field, and no match without a default
 */
export async function lookUp({ model, keys, select, default: fallback }: Lookup, path: string, request: Request) {
  const resource = requireResource(model, path, request);
  const parsed = fitting(path, () => ({
    filter: parseKeys(keys, resource),
    projection: parseSelected(select, resource),
  }));
  const { services, principal, now } = request;
  const { filter } = parsed;
  const source = await services.prepareRead(services.db, resource, { org: principal.org, filter, now });
  const [record] = await readList(requestReader(request), source, {
    filter,
    select: parsed.projection,
    sort: { _id: 1 },
    skip: 0,
    limit: 1,
    populate: [],
    hasRegex: false,
  });
  const value = record && selected(record, select);
  if (value !== undefined) return value;
  if (fallback !== undefined) return fallback;
  throw invalidField(path, 'lookup', message('preprocess.foundNothing', { model }));
}

/** Logins of people. A lookup could otherwise be used to probe for them. */
const refusedModel = 'User';

function requireResource(model: string, path: string, { services, principal }: Request): Resource {
  const resource = services.resources.find(({ name }) => name === model);
  if (!resource) throw invalidField(joinPath(path, 'lookup.model'), 'lookup', message('preprocess.noModel'));
  if (model === refusedModel)
    throw new ServiceError('forbidden', message('preprocess.modelNotAllowed', { model: refusedModel }));
  requirePermission(principal, resource.permissions.read);
  return resource;
}

function parseKeys(keys: Lookup['keys'], resource: Resource): Filter {
  const fields = readableFields(resource);
  const filters = Object.entries(keys).map(([name, value]) => {
    const field = requireField(fields, name, 'keys');
    return fieldFilter(field, { $eq: castValue(field, value, `keys.${name}`) });
  });
  return conjunction(filters);
}

function parseSelected(select: readonly string[], resource: Resource): Projection {
  const wanted = Object.fromEntries(select.map((name) => [name, 1]));
  return { ...parseSelect(JSON.stringify(wanted), readableFields(resource)), _id: select.includes('_id') ? 1 : 0 };
}

/** The query language refuses wrong arguments with 400; as parts of a body they are validation errors instead. */
function fitting<T>(path: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'malformed') {
      throw invalidField(joinPath(path, 'lookup'), 'lookup', pickMessage(error));
    }
    throw error;
  }
}

function selected(record: Found, select: readonly string[]): unknown {
  // Converted as in an answer, so that ids and dates are checked like values that the client sent.
  const json: unknown = JSON.parse(JSON.stringify(record));
  const [only, ...others] = select;
  return others.length > 0 || only === undefined ? json : valueAt(json, only.split('.'));
}

/** One value, unlike `valuesAt`: a list stays a list, as it would have been sent. */
function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) {
    return value.map((each: unknown) => valueAt(each, [name, ...rest])).filter((each) => each !== undefined);
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return valueAt(Reflect.get(value, name), rest);
}
