import type { TProperties } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { notFound } from '#base/common/errors';
import type { Doc, Resource } from '#base/schema/resource';
import type { OrgContext } from './writeContext';

/**
 * Returns the whole record with this id from the org of the principal.
 * @throws ServiceError 1500 when there is none
 */
export async function storedRecord<P extends TProperties>(
  resource: Resource<P>,
  { services, principal }: OrgContext,
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

/** Tells whether records of a resource count their changes. */
export function hasVersion(resource: Resource): boolean {
  return Object.hasOwn(resource.shape.properties, 'version');
}
