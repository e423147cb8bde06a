import { defineWrites } from '#platform/recordWrites/recordWrites';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { enumResource } from '#records/catalog/enumValue';
import { locationResource } from '#records/catalog/location';
import { namedListResource } from '#records/catalog/namedList';
import { partnerResource } from '#records/catalog/partner';
import { productResource } from '#records/catalog/product';
import { segmentResource } from '#records/catalog/segment';
import { prepareEnum } from './prepareEnum';
import { prepareNamedList } from './prepareNamedList';
import { prepareSegment } from './prepareSegment';
import { usesOfEnum } from './usesOfEnum';

const namedInHistories = (path: string, value: string) => [
  { in: activityHistoryResource, path, where: { [path]: value } },
];

export const enumWrites = defineWrites(enumResource, {
  prepare: async (body, _context, previous) => prepareEnum(body, previous),
  uses: { by: ['type', 'value'], find: usesOfEnum },
});

export const locationWrites = defineWrites(locationResource, {
  uses: { by: [], find: ({ number }) => namedInHistories('srcChannelID', number) },
});

export const partnerWrites = defineWrites(partnerResource, {
  uses: { by: [], find: ({ code }) => namedInHistories('partnerCode', code) },
});

export const namedListWrites = defineWrites(namedListResource, { prepare: prepareNamedList });

export const segmentWrites = defineWrites(segmentResource, { prepare: prepareSegment });

export const productWrites = defineWrites(productResource);
