import { partitionResource } from '#activities/inbox/partitions';
import { recordLeaseResource } from '#activities/pipeline/recordLeases';
import type { Resource } from '#base/schema/resource';
import { ruleSetResource } from '#engine/rules/publishedRuleSet';
import { importChunkResource, importUploadResource } from '#exchange/imports/file/importFiles';
import { importResource } from '#exchange/imports/import';
import { tierHistoryResource } from '#members/tiers/tierHistory';
import { keyedRequestResource } from '#platform/http/keys/keyedRequest';
import { sequenceResource } from '#platform/preprocess/sequence';
import { ruleProposalResource } from '#publishing/proposals/ruleProposal';
import { ruleLoadResource } from '#publishing/rulesets/files/ruleLoad';
import { lookupTableResource } from '#publishing/rulesets/lookup/lookupTableResource';
import { ruleResource } from '#publishing/rulesets/ruleResource';
import { simulationResource } from '#publishing/simulations/simulation';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { limitCounterResource } from '#records/activities/limitCounter';
import { occasionSlotResource } from '#records/activities/occasionSlot';
import { refusedActivityResource } from '#records/activities/refusedActivity';
import { submissionResource } from '#records/activities/submission';
import { aggregateResources } from '#records/aggregates/aggregate';
import { metricEventsResource } from '#records/aggregates/metricEvents';
import { recordCountResource } from '#records/aggregates/recordCount';
import { archivedKeyResource } from '#records/archives/archivedKey';
import { archivedPageResource } from '#records/archives/archivedPage';
import { archivedUseResource } from '#records/archives/archivedUse';
import { archiveOpeningResource } from '#records/archives/archiveOpening';
import { archiveVolumeResource } from '#records/archives/archiveVolume';
import { enumResource } from '#records/catalog/enumValue';
import { locationResource } from '#records/catalog/location';
import { namedListResource } from '#records/catalog/namedList';
import { partnerResource } from '#records/catalog/partner';
import { productResource } from '#records/catalog/product';
import { segmentResource } from '#records/catalog/segment';
import { eventHeadResource } from '#records/events/eventHead';
import { eventPageResource } from '#records/events/eventPage';
import { extDefResource } from '#records/extensions/extDef';
import { extSchemaResource } from '#records/extensions/extSchema';
import { importErrorResource } from '#records/imports/importError';
import { importMappingResource } from '#records/imports/importMapping';
import { accountResource } from '#records/members/account';
import { followUpResource } from '#records/members/followUp';
import { memberResource } from '#records/members/member';
import { issuedRewardResource } from '#records/offers/issuedReward';
import { offerResource } from '#records/offers/offer';
import { rewardResource } from '#records/offers/reward';
import { accrualItemResource } from '#records/points/accrualItem';
import { expiryNoticeResource } from '#records/points/expiryNotice';
import { journalResource } from '#records/points/journal';
import { programResource } from '#records/programs/program';
import { pursePolicyResource } from '#records/programs/pursePolicy';
import { tierPolicyResource } from '#records/programs/tierPolicy';
import { apiKeyResource } from '#records/users/apiKey';
import { auditResource } from '#records/users/auditEntry';
import { jobRunResource } from '#records/users/jobRun';
import { knownLoginResource } from '#records/users/knownLogin';
import { orgResource } from '#records/users/org';
import { sessionResource } from '#records/users/session';
import { signInCodeResource } from '#records/users/signInCode';
import { userResource } from '#records/users/user';
import { webhookResource } from '#records/webhooks/webhook';
import { webhookDeliveryResource } from '#records/webhooks/webhookDelivery';
import { webhookReplayResource } from '#records/webhooks/webhookReplay';
import { webhookStateResource } from '#records/webhooks/webhookState';

/** Every resource of the service. Storage, reads, references, permissions and documentation derive from this list. */
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
  apiKeyResource,
  memberResource,
  accountResource,
  accrualItemResource,
  journalResource,
  activityHistoryResource,
  refusedActivityResource,
  ruleResource,
  ruleSetResource,
  ruleProposalResource,
  tierHistoryResource,
  ...aggregateResources,
  jobRunResource,
  simulationResource,
  auditResource,
  webhookResource,
  webhookDeliveryResource,
  webhookReplayResource,
  importResource,
  importMappingResource,

  // Without routes of their own.
  orgResource,
  sessionResource,
  signInCodeResource,
  knownLoginResource,
  submissionResource,
  occasionSlotResource,
  keyedRequestResource,
  partitionResource,
  recordLeaseResource,
  limitCounterResource,
  sequenceResource,
  followUpResource,
  metricEventsResource,
  eventPageResource,
  eventHeadResource,
  expiryNoticeResource,
  recordCountResource,
  archiveVolumeResource,
  archivedPageResource,
  archivedKeyResource,
  archiveOpeningResource,
  archivedUseResource,
  ruleLoadResource,
  lookupTableResource,
  webhookStateResource,
  importUploadResource,
  importChunkResource,
  importErrorResource,
];
