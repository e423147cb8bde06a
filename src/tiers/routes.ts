import { validationError } from '../common/errors';
import { allOperations } from '../http/collection/collectionOptions';
import { collectionRoutes } from '../http/collection/collectionRoutes';
import type { Route } from '../http/route';
import type { TierPolicy } from '../records/programs/tierPolicy';
import { tierPolicyResource } from '../records/programs/tierPolicy';
import { levelFaults } from './ladder/levelFaults';
import { policyFaults } from './ladder/policyFaults';
import { tierHistoryResource } from './tierHistory';

/** Routes of tier policies, and of the history of members' tiers. */
export const tierRoutes: Route[] = [
  ...collectionRoutes(tierPolicyResource, { operations: allOperations, prepare: prepareTierPolicy }),
  ...collectionRoutes(tierHistoryResource, { operations: ['list', 'count', 'read'] }),
];

/**
 * Checks that the levels of a tier policy form a ladder and that its terms fit, which the schema cannot express.
 * @throws ServiceError 1200 naming every level in error
 */
async function prepareTierPolicy(
  body: Partial<TierPolicy>,
  { previous }: { previous?: Partial<TierPolicy> },
): Promise<Partial<TierPolicy>> {
  const faults = [...levelFaults(body.levels ?? []), ...policyFaults({ ...previous, ...body })];
  if (faults.length > 0) throw validationError(faults);
  return body;
}
