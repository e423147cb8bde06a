import { allOperations, collectionRoutes } from '../http/collection';
import type { Route } from '../http/route';
import { enumResource } from './enumValue';
import { locationResource } from './location';
import { namedListResource } from './namedList';
import { partnerResource } from './partner';
import { prepareNamedList } from './prepareNamedList';
import { prepareSegment } from './prepareSegment';
import { productResource } from './product';
import { segmentResource } from './segment';

const operations = allOperations;

/** Definitions that belong to no program (DESIGN 12). */
export const catalogRoutes: Route[] = [
  ...collectionRoutes(enumResource, { operations }),
  ...collectionRoutes(locationResource, { operations }),
  ...collectionRoutes(productResource, { operations }),
  ...collectionRoutes(partnerResource, { operations }),
  ...collectionRoutes(namedListResource, {
    operations,
    prepare: (body, { previous, request }) => prepareNamedList(body, previous, request),
  }),
  ...collectionRoutes(segmentResource, {
    operations,
    prepare: (body, { previous }) => prepareSegment(body, previous),
  }),
];
