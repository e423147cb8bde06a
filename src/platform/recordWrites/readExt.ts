import type { FieldError } from '#base/common/errors';
import { isPlainObject } from '#base/common/plainObject';
import type { Resource } from '#base/schema/resource';
import type { OrgContext } from './writeContext';

/** A body whose `ext` was read, and the faults of its extension fields. */
export interface ReadExt {
  body: unknown;
  faults: FieldError[];
}

/**
 * Reads the `ext` of a body by the extension definitions of the resource. Dates in it get the format in which they are
 * stored.
 */
export async function readExt(
  { name, shape }: Resource,
  body: unknown,
  { services, principal }: OrgContext,
  isNew: boolean,
): Promise<ReadExt> {
  if (!Object.hasOwn(shape.properties, 'ext') || !isPlainObject(body)) return { body, faults: [] };
  // The schema reports an `ext` of another type.
  if (body.ext !== undefined && !isPlainObject(body.ext)) return { body, faults: [] };
  const definitions = await services.extDefinitions.current(principal.org, principal.versions?.definitionsVersion);
  const { ext, faults } = definitions.check(name, body.ext, { isNew });
  return { body: ext === body.ext ? body : { ...body, ext }, faults };
}
