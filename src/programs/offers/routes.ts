import type { ObjectId } from 'bson';
import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes } from '#platform/http/collection/collectionRoutes';
import type { Route } from '#platform/http/route';
import { presentFilters } from '#programs/catalog/presentFilters';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { issuedRewardResource } from '#records/offers/issuedReward';
import { offerResource } from '#records/offers/offer';
import { rewardResource } from '#records/offers/reward';
import { prepareOffer } from './prepareOffer';

/** Offers and rewards that an activity history names cannot be removed: used coupons, and offers that were applied. */
const uses = {
  by: [],
  find: ({ _id }: { _id: ObjectId }) => [
    { in: activityHistoryResource, path: 'coupon', where: { 'coupon._id': _id } },
    { in: activityHistoryResource, path: 'lineItems.coupon', where: { 'lineItems.coupon._id': _id } },
    { in: activityHistoryResource, path: 'bestOffers', where: { 'bestOffers._id': _id } },
  ],
};

/** Routes of offers, rewards and issued rewards. */
export const offerRoutes: Route[] = [
  ...collectionRoutes(offerResource, {
    operations: allOperations,
    present: presentFilters,
    uses,
    prepare: (body, { previous, request }) => prepareOffer(body, previous, request),
  }),
  ...collectionRoutes(rewardResource, {
    operations: allOperations,
    present: presentFilters,
    uses,
    prepare: (body, { previous, request }) => prepareOffer(body, previous, request),
  }),
  ...collectionRoutes(issuedRewardResource, { operations: ['list', 'count', 'read'] }),
];
