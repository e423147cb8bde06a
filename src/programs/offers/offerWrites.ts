import type { ObjectId } from 'bson';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import { presentFilters } from '#programs/catalog/presentFilters';
import { activityHistoryResource } from '#records/activities/activityHistory';
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

export const offerWrites = defineWrites(offerResource, { present: presentFilters, uses, prepare: prepareOffer });

export const rewardWrites = defineWrites(rewardResource, { present: presentFilters, uses, prepare: prepareOffer });
