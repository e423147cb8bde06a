import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes, readingRoutes } from '#platform/http/collection/collectionRoutes';
import type { Route } from '#platform/http/route';
import { issuedRewardResource } from '#records/offers/issuedReward';
import { offerWrites, rewardWrites } from './offerWrites';

/** Routes of offers, rewards and issued rewards. */
export const offerRoutes: Route[] = [
  ...collectionRoutes(offerWrites, { operations: allOperations }),
  ...collectionRoutes(rewardWrites, { operations: allOperations }),
  ...readingRoutes(issuedRewardResource, { operations: ['list', 'count', 'read'] }),
];
