import { collectionRoutes } from '../http/collection/collection';
import { allOperations } from '../http/collection/collectionOptions';
import type { Route } from '../http/route';
import { tierPolicyResource } from '../records/programs/tierPolicy';
import { prepareTierPolicy } from './prepareTierPolicy';
import { tierHistoryResource } from './tierHistory';

/** Tier policies, and what became of members' tiers (DESIGN 12). */
export const tierRoutes: Route[] = [
  ...collectionRoutes(tierPolicyResource, { operations: allOperations, prepare: prepareTierPolicy }),
  ...collectionRoutes(tierHistoryResource, { operations: ['list', 'count', 'read'] }),
];
