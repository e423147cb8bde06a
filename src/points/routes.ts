import { collectionRoutes } from '../http/collection';
import type { Route } from '../http/route';
import { accrualItemResource } from './accrualItem';
import { journalResource } from './journal';

const operations = ['list', 'count', 'read'] as const;

/** What activities left in the ledger: accrual items (SPEC endpoints 4 and 5) and the journal, both read-only. */
export const pointsRoutes: Route[] = [
  ...collectionRoutes(accrualItemResource, { operations }),
  ...collectionRoutes(journalResource, { operations }),
];
