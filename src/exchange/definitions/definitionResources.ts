import type { Resource } from '#base/schema/resource';
import { enumResource } from '#records/catalog/enumValue';
import { locationResource } from '#records/catalog/location';
import { namedListResource } from '#records/catalog/namedList';
import { partnerResource } from '#records/catalog/partner';
import { productResource } from '#records/catalog/product';
import { segmentResource } from '#records/catalog/segment';
import { extDefResource } from '#records/extensions/extDef';
import { extSchemaResource } from '#records/extensions/extSchema';
import { offerResource } from '#records/offers/offer';
import { rewardResource } from '#records/offers/reward';
import { programResource } from '#records/programs/program';
import { pursePolicyResource } from '#records/programs/pursePolicy';
import { tierPolicyResource } from '#records/programs/tierPolicy';

/**
 * What a definition file may hold, in the order in which it is applied: each refers only to those before it. Users, keys
 * and secrets are no definitions.
 */
export const definitionResources: readonly Resource[] = [
  enumResource,
  extSchemaResource,
  extDefResource,
  programResource,
  pursePolicyResource,
  tierPolicyResource,
  locationResource,
  productResource,
  partnerResource,
  segmentResource,
  namedListResource,
  offerResource,
  rewardResource,
];

/** The paths of {@link definitionResources}, which are also the sections of a definition file. */
export const definitionPaths: readonly string[] = definitionResources.map(({ path }) => path);
