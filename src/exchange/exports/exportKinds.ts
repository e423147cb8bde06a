import type { Resource } from '#base/schema/resource';
import { tierHistoryResource } from '#members/tiers/tierHistory';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { aggregateResources } from '#records/aggregates/aggregate';
import { locationResource } from '#records/catalog/location';
import { productResource } from '#records/catalog/product';
import { memberResource } from '#records/members/member';
import { issuedRewardResource } from '#records/offers/issuedReward';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';

/** The resources that can be exported. The kind of an export is the path of its resource. */
export const exportedResources: readonly Resource[] = [
  memberResource,
  accrualItemResource,
  journalResource,
  activityHistoryResource,
  tierHistoryResource,
  issuedRewardResource,
  productResource,
  locationResource,
  ...aggregateResources,
];
