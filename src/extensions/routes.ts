import { invalidField } from '../common/errors';
import { allOperations } from '../http/collection/collectionOptions';
import { collectionRoutes } from '../http/collection/collectionRoutes';
import type { Request, Route } from '../http/route';
import { extDefResource } from '../records/extensions/extDef';
import { hasExt } from '../records/extensions/extModels';
import type { ExtSchema } from '../records/extensions/extSchema';
import { extSchemaResource } from '../records/extensions/extSchema';
import { prepareExtDef } from './prepareExtDef';

/** Routes of extension schemas and definitions (SPEC "Extension fields"). */
export const extensionRoutes: Route[] = [
  ...collectionRoutes(extSchemaResource, {
    operations: allOperations,
    prepare: (body, { request }) => prepareExtSchema(body, request),
  }),
  ...collectionRoutes(extDefResource, {
    operations: allOperations,
    prepare: (body, { previous, request }) => prepareExtDef(body, previous, request),
  }),
];

/**
 * Checks that the model of an extension schema has extension fields.
 * @throws ServiceError 1200
 */
async function prepareExtSchema(
  body: Partial<ExtSchema>,
  { services }: Pick<Request, 'services'>,
): Promise<Partial<ExtSchema>> {
  if (body.model !== undefined && !hasExt(body.model, services.resources)) {
    throw invalidField('model', 'reference', 'is not the name of a model with extension fields, such as Member');
  }
  return body;
}
