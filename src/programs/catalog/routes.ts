import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes } from '#platform/http/collection/collectionRoutes';
import type { Route } from '#platform/http/route';
import {
  enumWrites,
  locationWrites,
  namedListWrites,
  partnerWrites,
  productWrites,
  segmentWrites,
} from './catalogWrites';

const operations = allOperations;

/** Routes of definitions that belong to no program. */
export const catalogRoutes: Route[] = [
  ...collectionRoutes(enumWrites, { operations }),
  ...collectionRoutes(locationWrites, { operations }),
  ...collectionRoutes(partnerWrites, { operations }),
  ...collectionRoutes(namedListWrites, { operations }),
  ...collectionRoutes(segmentWrites, { operations }),
];

/** Routes of products. In the documentation they come after all domains. */
export const productRoutes: Route[] = collectionRoutes(productWrites, { operations });
