import { collectionRoutes } from '../http/collection/collection';
import { allOperations } from '../http/collection/collectionOptions';
import type { Route } from '../http/route';
import { extDefResource } from '../records/extensions/extDef';
import { extSchemaResource } from '../records/extensions/extSchema';
import { prepareExtDef } from './prepareExtDef';
import { prepareExtSchema } from './prepareExtSchema';

/** Extension schemas and definitions (SPEC "Extension fields"). */
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
