import { invalidField, validationError } from '#base/common/errors';
import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes } from '#platform/http/collection/collectionRoutes';
import { referringFaults } from '#platform/http/collection/requireUnused';
import type { Request, Route } from '#platform/http/route';
import { extDefResource } from '#records/extensions/extDef';
import { extModelOf, hasExt } from '#records/extensions/extModels';
import type { ExtSchema } from '#records/extensions/extSchema';
import { extSchemaResource } from '#records/extensions/extSchema';
import { prepareExtDef } from './prepareExtDef';

/** Routes of extension schemas and definitions (SPEC "Extension fields"). */
export const extensionRoutes: Route[] = [
  ...collectionRoutes(extSchemaResource, {
    operations: allOperations,
    prepare: (body, { previous, request }) => prepareExtSchema(body, previous, request),
  }),
  ...collectionRoutes(extDefResource, {
    operations: allOperations,
    prepare: (body, { previous, request }) => prepareExtDef(body, previous, request),
  }),
];

/**
 * Checks that the model of an extension schema has extension fields, and that it stays while rules, queries and filters
 * may name its defs.
 * @throws ServiceError 1200
 */
async function prepareExtSchema(
  body: Partial<ExtSchema>,
  previous: ExtSchema | undefined,
  request: Pick<Request, 'services' | 'principal'>,
): Promise<Partial<ExtSchema>> {
  if (body.model !== undefined && !hasExt(body.model, request.services.resources)) {
    throw invalidField('model', 'reference', 'is not the name of a model with extension fields, such as Member');
  }
  const { model } = { ...previous, ...body };
  if (previous && model !== undefined && extModelOf(model) !== extModelOf(previous.model)) {
    const faults = await referringFaults(extSchemaResource, previous._id, 'model', request);
    if (faults.length > 0) throw validationError(faults);
  }
  return body;
}
