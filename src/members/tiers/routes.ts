import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes, readingRoutes } from '#platform/http/collection/collectionRoutes';
import type { Route } from '#platform/http/route';
import { tierHistoryResource } from './tierHistory';
import { tierPolicyWrites } from './tierPolicyWrites';

/** Routes of tier policies, and of the history of members' tiers. */
export const tierRoutes: Route[] = [
  ...collectionRoutes(tierPolicyWrites, { operations: allOperations }),
  ...readingRoutes(tierHistoryResource, { operations: ['list', 'count', 'read'] }),
];
