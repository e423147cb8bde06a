import { validationError } from '../common/errors';
import { allOperations } from '../http/collection/collectionOptions';
import { collectionRoutes } from '../http/collection/collectionRoutes';
import type { Route } from '../http/route';
import type { TierPolicy } from '../records/programs/tierPolicy';
import { tierPolicyResource } from '../records/programs/tierPolicy';
import { levelFaults } from './ladder/levelFaults';
import { tierHistoryResource } from './tierHistory';

/** Tier policies, and what became of members' tiers. */
export const tierRoutes: Route[] = [
  ...collectionRoutes(tierPolicyResource, { operations: allOperations, prepare: prepareTierPolicy }),
  ...collectionRoutes(tierHistoryResource, { operations: ['list', 'count', 'read'] }),
];

/**
 * Checks what the schema cannot say of a tier policy: its levels make a ladder.
 * @throws ServiceError 1200 naming every level in error
 */
async function prepareTierPolicy(body: Partial<TierPolicy>): Promise<Partial<TierPolicy>> {
  const faults = levelFaults(body.levels ?? []);
  if (faults.length > 0) throw validationError(faults);
  return body;
}
