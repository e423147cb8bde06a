import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes } from '#platform/http/collection/collectionRoutes';
import type { Route } from '#platform/http/route';
import { extDefWrites, extSchemaWrites } from './extensionWrites';

/** Routes of extension schemas and definitions (SPEC "Extension fields"). */
export const extensionRoutes: Route[] = [
  ...collectionRoutes(extSchemaWrites, { operations: allOperations }),
  ...collectionRoutes(extDefWrites, { operations: allOperations }),
];
