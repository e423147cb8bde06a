import { presentFilters } from '../catalog/presentFilters';
import { allOperations, collectionRoutes } from '../http/collection';
import type { Route } from '../http/route';
import { issuedRewardResource } from './issuedReward';
import { offerResource } from './offer';
import { prepareOffer } from './prepareOffer';
import { rewardResource } from './reward';

/** Offers and rewards (DESIGN 12). */
export const offerRoutes: Route[] = [
  ...collectionRoutes(offerResource, {
    operations: allOperations,
    present: presentFilters,
    prepare: (body, { previous, request }) => prepareOffer(body, previous, request),
  }),
  ...collectionRoutes(rewardResource, {
    operations: allOperations,
    present: presentFilters,
    prepare: (body, { previous, request }) => prepareOffer(body, previous, request),
  }),
  ...collectionRoutes(issuedRewardResource, { operations: ['list', 'count', 'read'] }),
];
