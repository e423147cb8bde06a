import { allOperations } from '../http/collection/collectionOptions';
import { collectionRoutes } from '../http/collection/collectionRoutes';
import type { Route } from '../http/route';
import { accrualItemResource } from '../records/points/accrualItem';
import { journalResource } from '../records/points/journal';
import { itemCreateBody, itemUpdateBody } from './itemBodies';
import { addItem, changeItem, removeItem } from './writeItems';

const operations = ['list', 'count', 'read'] as const;

/**
 * Routes of accrual items (SPEC endpoints 4 and 5) and of the journal, which is read-only. Writes of items are
 * corrections by hand.
 */
export const pointsRoutes: Route[] = [
  ...collectionRoutes(accrualItemResource, {
    operations: allOperations,
    // The member of an item may be merged or erased.
    errors: { create: [404, 410], update: [410], delete: [410] },
    createBody: itemCreateBody,
    updateBody: itemUpdateBody,
    create: addItem,
    update: changeItem,
    remove: removeItem,
  }),
  ...collectionRoutes(journalResource, { operations }),
];
