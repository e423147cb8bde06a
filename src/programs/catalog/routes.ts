import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes } from '#platform/http/collection/collectionRoutes';
import type { Route } from '#platform/http/route';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { enumResource } from '#records/catalog/enumValue';
import { locationResource } from '#records/catalog/location';
import { namedListResource } from '#records/catalog/namedList';
import { partnerResource } from '#records/catalog/partner';
import { segmentResource } from '#records/catalog/segment';
import { prepareEnum } from './prepareEnum';
import { prepareNamedList } from './prepareNamedList';
import { prepareSegment } from './prepareSegment';
import { usesOfEnum } from './usesOfEnum';

const operations = allOperations;

const history = (path: string, value: string) => ({
  ...{ in: activityHistoryResource, path },
  where: { [path]: value },
});

/** Routes of definitions that belong to no program. */
export const catalogRoutes: Route[] = [
  ...collectionRoutes(enumResource, {
    operations,
    prepare: async (body, { previous }) => prepareEnum(body, previous),
    uses: { by: ['type', 'value'], find: usesOfEnum },
  }),
  ...collectionRoutes(locationResource, {
    operations,
    uses: { by: [], find: ({ number }) => [history('srcChannelID', number)] },
  }),
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
    prepare: (body, { previous, request }) => prepareSegment(body, previous, request),
  }),
];
