import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes } from '#platform/http/collection/collectionRoutes';
import type { Route } from '#platform/http/route';
import { programWrites, pursePolicyWrites } from './programWrites';

/** Routes of programs and of purse policies. */
export const programRoutes: Route[] = [
  ...collectionRoutes(programWrites, { operations: allOperations }),
  ...collectionRoutes(pursePolicyWrites, { operations: allOperations }),
];
