import { tierPolicyWrites } from '#members/tiers/tierPolicyWrites';
import type { RecordWrites } from '#platform/recordWrites/recordWrites';
import {
  enumWrites,
  locationWrites,
  namedListWrites,
  partnerWrites,
  productWrites,
  segmentWrites,
} from '#programs/catalog/catalogWrites';
import { extDefWrites, extSchemaWrites } from '#programs/extensions/extensionWrites';
import { offerWrites, rewardWrites } from '#programs/offers/offerWrites';
import { programWrites, pursePolicyWrites } from '#programs/programs/programWrites';

/** The writes of every resource that a definition file may hold. */
export const definitionWrites: readonly RecordWrites[] = [
  enumWrites,
  extSchemaWrites,
  extDefWrites,
  programWrites,
  pursePolicyWrites,
  tierPolicyWrites,
  locationWrites,
  productWrites,
  partnerWrites,
  segmentWrites,
  namedListWrites,
  offerWrites,
  rewardWrites,
];
