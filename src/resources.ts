import { accountResource } from './accounts/account';
import { activityHistoryResource } from './activities/activityHistory';
import { laneResource } from './activities/lanes';
import { limitCounterResource } from './activities/limitCounter';
import { submissionResource } from './activities/submission';
import { turnResource } from './activities/turns';
import { aggregateResources } from './aggregates/aggregate';
import { metricEventsResource } from './aggregates/metricEvents';
import { recordCountResource } from './aggregates/recordCount';
import { auditResource } from './auth/auditEntry';
import { knownLoginResource } from './auth/knownLogin';
import { sessionResource } from './auth/session';
import { userResource } from './auth/user';
import { enumResource } from './catalog/enumValue';
import { locationResource } from './catalog/location';
import { namedListResource } from './catalog/namedList';
import { partnerResource } from './catalog/partner';
import { productResource } from './catalog/product';
import { segmentResource } from './catalog/segment';
import { orgResource } from './db/org';
import type { Resource } from './db/resource';
import { extDefResource } from './extensions/extDef';
import { extSchemaResource } from './extensions/extSchema';
import { jobRunResource } from './jobs/jobRun';
import { followUpResource } from './members/followUp';
import { memberResource } from './members/member';
import { issuedRewardResource } from './offers/issuedReward';
import { offerResource } from './offers/offer';
import { rewardResource } from './offers/reward';
import { accrualItemResource } from './points/accrualItem';
import { journalResource } from './points/journal';
import { sequenceResource } from './preprocess/sequence';
import { programResource } from './programs/program';
import { pursePolicyResource } from './programs/pursePolicy';
import { ruleSetResource } from './rulesets/publishedRuleSet';
import { ruleLoadResource } from './rulesets/ruleLoad';
import { ruleResource } from './rulesets/ruleRecord';
import { simulationResource } from './simulations/simulation';
import { tierHistoryResource } from './tiers/tierHistory';
import { tierPolicyResource } from './tiers/tierPolicy';

/** Every resource of the service, one a line: storage, reads, references, permissions and documentation follow it. */
export const resources: readonly Resource[] = [
  programResource,
  pursePolicyResource,
  tierPolicyResource,
  locationResource,
  productResource,
  offerResource,
  rewardResource,
  issuedRewardResource,
  partnerResource,
  namedListResource,
  enumResource,
  segmentResource,
  extSchemaResource,
  extDefResource,
  userResource,
  memberResource,
  accountResource,
  accrualItemResource,
  journalResource,
  activityHistoryResource,
  ruleResource,
  ruleSetResource,
  tierHistoryResource,
  ...aggregateResources,
  jobRunResource,
  simulationResource,

  // Without routes of their own.
  orgResource,
  sessionResource,
  knownLoginResource,
  auditResource,
  submissionResource,
  laneResource,
  turnResource,
  limitCounterResource,
  sequenceResource,
  followUpResource,
  metricEventsResource,
  recordCountResource,
  ruleLoadResource,
];
