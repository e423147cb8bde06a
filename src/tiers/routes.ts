import { allOperations, collectionRoutes } from '../http/collection';
import type { Route } from '../http/route';
import { prepareTierPolicy } from './prepareTierPolicy';
import { tierHistoryResource } from './tierHistory';
import { tierPolicyResource } from './tierPolicy';

/** Tier policies, and what became of members' tiers (DESIGN 12). */
export const tierRoutes: Route[] = [
  ...collectionRoutes(tierPolicyResource, { operations: allOperations, prepare: prepareTierPolicy }),
  ...collectionRoutes(tierHistoryResource, { operations: ['list', 'count', 'read'] }),
];
