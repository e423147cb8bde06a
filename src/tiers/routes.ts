import { allOperations, collectionRoutes } from '../http/collection';
import type { Route } from '../http/route';
import { prepareTierPolicy } from './prepareTierPolicy';
import { tierPolicyResource } from './tierPolicy';

/** Tier policies (DESIGN 12). */
export const tierRoutes: Route[] = collectionRoutes(tierPolicyResource, {
  operations: allOperations,
  prepare: prepareTierPolicy,
});
