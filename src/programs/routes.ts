import { collectionRoutes } from '../http/collection';
import type { Route } from '../http/route';
import { preparePolicy } from './preparePolicy';
import { prepareProgram } from './prepareProgram';
import { programResource } from './program';
import { pursePolicyResource } from './pursePolicy';

const operations = ['list', 'count', 'read', 'create', 'update', 'delete'] as const;

/** Programs and the purse policies of each (DESIGN 12). */
export const programRoutes: Route[] = [
  ...collectionRoutes(programResource, { operations, prepare: prepareProgram }),
  ...collectionRoutes(pursePolicyResource, {
    operations,
    prepare: (body, { request }) => preparePolicy(body, request),
  }),
];
