import { invalidField } from '../errors';
import type { Request } from '../http/route';
import { hasExt } from '../records/extensions/extModels';
import type { ExtSchema } from '../records/extensions/extSchema';

/**
 * Checks that the model of an extension schema is one whose records carry extension fields.
 * @throws ServiceError 1200
 */
export async function prepareExtSchema(
  body: Partial<ExtSchema>,
  { services }: Pick<Request, 'services'>,
): Promise<Partial<ExtSchema>> {
  if (body.model !== undefined && !hasExt(body.model, services.resources)) {
    throw invalidField('model', 'reference', 'is not the name of a model with extension fields, such as Member');
  }
  return body;
}
