import { activityHistoryResource } from '../activities/activityHistory';
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
import { usesOfEnum } from './usesOfEnum';

const operations = allOperations;

const history = (path: string, value: string) => ({
  ...{ in: activityHistoryResource, path },
  where: { [path]: value },
});

/** Definitions that belong to no program (DESIGN 12). */
export const catalogRoutes: Route[] = [
  ...collectionRoutes(enumResource, { operations, uses: { by: ['type', 'value'], find: usesOfEnum } }),
  ...collectionRoutes(locationResource, {
    operations,
    uses: { by: [], find: ({ number }) => [history('srcChannelID', number)] },
  }),
  ...collectionRoutes(productResource, { operations }),
  ...collectionRoutes(partnerResource, {
    operations,
    uses: { by: [], find: ({ code }) => [history('partnerCode', code)] },
  }),
  ...collectionRoutes(namedListResource, {
    operations,
    prepare: (body, { previous, request }) => prepareNamedList(body, previous, request),
  }),
  ...collectionRoutes(segmentResource, {
    operations,
    prepare: (body, { previous }) => prepareSegment(body, previous),
  }),
];
