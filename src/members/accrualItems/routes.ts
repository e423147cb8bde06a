import { Type } from '@sinclair/typebox';
import { anyValue, count, list, objectId, record } from '#base/schema/atoms';
import { bulkLimits } from '#platform/http/collection/bulkPost';
import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes, readingRoutes } from '#platform/http/collection/collectionRoutes';
import { defineRoute, type Route } from '#platform/http/route';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import { shownError } from '#records/activities/shownResult';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';
import { itemCreateBody, itemUpdateBody } from './itemBodies';
import { postItems } from './postItems';
import { addItem, changeItem, removeItem } from './writeItems';

const operations = ['list', 'count', 'read'] as const;

const bulkRoute = defineRoute({
  method: 'POST',
  path: '/accrualitems/bulk',
  permission: accrualItemResource.permissions.create,
  summary: 'Add many accrual items by hand',
  description: 'At most 1,000. The answer has an entry for each; one that is refused does not fail the others.',
  bodyMaxBytes: bulkLimits.maxBytes,
  body: Type.Array(anyValue({ description: 'As for POST /accrualitems' }), {
    minItems: 1,
    maxItems: bulkLimits.rowsMax,
    examples: [[{ member: '6650a1b2c3d4e5f6a7b8c9d0', purse: '6650a1b2c3d4e5f6a7b8c9d1', accruedPoints: 100 }]],
  }),
  // A row that cannot be read must not fail the others.
  parsesBody: true,
  key: 'repeatable',
  responses: {
    200: list(record({ index: count(), _id: Type.Optional(objectId()), error: Type.Optional(shownError) })),
  },
  handle: postItems,
});

const itemWrites = defineWrites(accrualItemResource, {
  createBody: itemCreateBody,
  updateBody: itemUpdateBody,
  create: addItem,
  update: changeItem,
  remove: removeItem,
});

/**
 * Routes of accrual items (SPEC endpoints 4 and 5) and of the journal, which is read-only. Writes of items are
 * corrections by hand.
 */
export const pointsRoutes: Route[] = [
  bulkRoute,
  ...collectionRoutes(itemWrites, {
    operations: allOperations,
    // The member of an item may be merged or erased.
    errors: { create: [404, 410], update: [410], delete: [410] },
  }),
  ...readingRoutes(journalResource, { operations }),
];
