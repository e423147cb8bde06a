import { lifetimeView, prepareLifetimeView } from '../aggregates/lifetimeView';
import { requirePermission } from '../auth/authenticate';
import { periodNamed } from '../calendar/periods';
import { invalidField, ServiceError } from '../common/errors';
import { readerOf } from '../http/collection/readHandlers';
import type { Request } from '../http/route';
import { castValue } from '../query/castValue';
import { fieldsOf } from '../query/fields';
import { type Filter, requireField } from '../query/parseFilter';
import type { Found } from '../query/read/found';
import { list } from '../query/read/read';
import { type Projection, parseSelect } from '../query/select';
import { below } from '../schema/below';
import type { Resource } from '../schema/resource';
import type { Lookup } from './definition';

/**
 * Finds the value that a lookup stands for, as JSON: of the matching record with the smallest id, the one selected
 * field, or an object of the several. What the asker may not read is not found for him.
 * @param path dotted path of the definition, for messages
 * @throws ServiceError 1130 without the model's read permission and for users, 1200 for an unknown model or field, a
 *   value that cannot be one of its field, and no match without a default
 */
export async function lookUp({ model, keys, select, default: fallback }: Lookup, path: string, request: Request) {
  const resource = resourceOf(model, path, request);
  const parsed = fitting(path, () => ({
    filter: parseKeys(keys, resource),
    projection: parseSelected(select, resource),
  }));
  const [record] = await list(readerOf(request), await stored(resource, request), {
    ...{ filter: parsed.filter, select: parsed.projection, sort: { _id: 1 }, skip: 0, limit: 1, populate: [] },
    hasRegex: false,
  });
  const value = record && selected(record, select);
  if (value !== undefined) return value;
  if (fallback !== undefined) return fallback;
  throw invalidField(path, 'lookup', `found no ${model} with these keys and a value, and has no default`);
}

/** Accounts of people who use the service: a lookup must not become a way to probe them. */
const refusedModel = 'User';

function resourceOf(model: string, path: string, { services, principal }: Request): Resource {
  const resource = services.resources.find(({ name }) => name === model);
  if (!resource)
    throw invalidField(below(path, 'lookup.model'), 'lookup', 'is no model, such as Program or PursePolicy');
  if (model === refusedModel) throw new ServiceError('forbidden', `Lookups in ${refusedModel} are not allowed`);
  requirePermission(principal, `${resource.path}:read`);
  return resource;
}

function parseKeys(keys: Lookup['keys'], resource: Resource): Filter {
  const fields = fieldsOf(resource);
  const conditions = Object.entries(keys).map(([name, value]) => {
    const field = requireField(fields, name, 'keys');
    return [field.path, { $eq: castValue(field, value, `keys.${name}`) }] as const;
  });
  return Object.fromEntries(conditions);
}

function parseSelected(select: readonly string[], resource: Resource): Projection {
  const wanted = Object.fromEntries(select.map((name) => [name, 1]));
  return { ...parseSelect(JSON.stringify(wanted), fieldsOf(resource)), _id: select.includes('_id') ? 1 : 0 };
}

/** The query language refuses arguments with 400; here they stand in a body. */
function fitting<T>(path: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'malformed') {
      throw invalidField(below(path, 'lookup'), 'lookup', error.message);
    }
    throw error;
  }
}

/** Lifetime aggregates that are still in members are found as well. */
async function stored(resource: Resource, { services }: Request): Promise<Resource> {
  if (resource.path !== periodNamed('lifetime').path) return resource;
  await prepareLifetimeView(services.db);
  return { ...resource, path: lifetimeView };
}

function selected(record: Found, select: readonly string[]): unknown {
  // As an answer would carry it, so that ids and dates are checked as if they had been sent.
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
