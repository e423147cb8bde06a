import { allOperations } from '../http/collection/collectionOptions';
import { collectionRoutes } from '../http/collection/collectionRoutes';
import type { Route } from '../http/route';
import { accrualItemResource } from '../records/points/accrualItem';
import { journalResource } from '../records/points/journal';
import { itemCreateBody, itemUpdateBody } from './itemBodies';
import { addItem, changeItem, removeItem } from './writeItems';

const operations = ['list', 'count', 'read'] as const;

/** Changes by hand: journalled as `adjust`, so that the books always add up. */
const write = 'accrualitems:write';

/** The ledger: accrual items (SPEC endpoints 4 and 5; writes are for corrections by hand) and the journal, read-only. */
export const pointsRoutes: Route[] = [
  ...collectionRoutes(accrualItemResource, {
    operations: allOperations,
    permissions: { create: write, update: write, delete: write },
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
