import type { Resource } from '../db/resource';
import { validationError } from '../errors';
import { isPlainObject } from '../query/parseJsonArgument';
import type { Request } from './route';

/**
 * A request to write a record, the `ext` of its body checked and read by the definitions of the resource.
 * @throws ServiceError 1200 naming every extension field in error
 */
export async function checkExt({ name, shape }: Resource, request: Request, isNew: boolean): Promise<Request> {
  const { services, principal, body } = request;
  if (!Object.hasOwn(shape.properties, 'ext') || !isPlainObject(body)) return request;
  const definitions = await services.extDefinitions.current(principal.org, principal.definitionsVersion);
  const { ext, faults } = definitions.check(name, isPlainObject(body.ext) ? body.ext : undefined, { isNew });
  if (faults.length > 0) throw validationError(faults);
  return ext === body.ext ? request : { ...request, body: { ...body, ext } };
}
