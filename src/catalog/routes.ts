import { collectionRoutes } from '../http/collection';
import type { Route } from '../http/route';
import { enumResource } from './enumValue';

/** Definitions that belong to no program (DESIGN 12). */
export const catalogRoutes: Route[] = collectionRoutes(enumResource, {
  operations: ['list', 'count', 'read', 'create', 'update', 'delete'],
});
