import type { FieldError } from '#base/common/errors';
import { isPlainObject } from '#base/common/plainObject';
import type { Resource } from '#base/schema/resource';
import type { Request } from './route';

/** A request whose `ext` was read, and the faults of its extension fields. */
export interface ReadExt {
  request: Request;
  faults: FieldError[];
}

/**
 * Reads the `ext` of a body by the extension definitions of the resource. Dates in it get the format in which they are
 * stored.
 */
export async function readExt({ name, shape }: Resource, request: Request, isNew: boolean): Promise<ReadExt> {
  const { services, principal, body } = request;
  if (!Object.hasOwn(shape.properties, 'ext') || !isPlainObject(body)) return { request, faults: [] };
  // The schema reports an `ext` of another type.
  if (body.ext !== undefined && !isPlainObject(body.ext)) return { request, faults: [] };
  const definitions = await services.extDefinitions.current(principal.org, principal.versions?.definitionsVersion);
  const { ext, faults } = definitions.check(name, body.ext, { isNew });
  return { request: ext === body.ext ? request : { ...request, body: { ...body, ext } }, faults };
}
