import type { TProperties } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import { malformed, notFound } from '#base/common/errors';
import type { Doc, Resource } from '#base/schema/resource';
import type { Request } from '../route';

/**
 * Returns the whole record with this id from the requester's org.
 * @throws ServiceError 1500 when there is none
 */
export async function storedRecord<P extends TProperties>(
  resource: Resource<P>,
  { services, principal }: Request,
  id: ObjectId,
): Promise<Doc<P>> {
  const found = await services.db.collection(resource.path).findOne({ org: principal.org, _id: id });
  if (!found) throw notFound(resource.name);
  return found as unknown as Doc<P>;
}

/** Returns a record without its hidden fields. */
export function visible(resource: Resource, doc: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(doc).filter(([name]) => !resource.hidden.includes(name)));
}

/**
 * Returns the id in the path of a request, by default from the parameter `id`.
 * @throws ServiceError 1210 when it is not an id
 */
export function idOf({ params }: Request, name = 'id'): ObjectId {
  const id = params[name] ?? '';
  if (!/^[0-9a-f]{24}$/i.test(id)) throw malformed(`The ${name} in the path must be 24 hexadecimal characters`);
  return new ObjectId(id);
}
