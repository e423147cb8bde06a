import { type FieldError, validationError } from '#base/common/errors';
import { levelFaults } from '#engine/tiers/levelFaults';
import { policyFaults } from '#engine/tiers/policyFaults';
import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes } from '#platform/http/collection/collectionRoutes';
import type { Request, Route } from '#platform/http/route';
import { missingNames } from '#programs/catalog/names/missingNames';
import { metricsOf, pursesOf } from '#programs/catalog/names/tierMetrics';
import { metricFault } from '#records/aggregates/metricNames';
import type { TierPolicy } from '#records/programs/tierPolicy';
import { tierPolicyResource } from '#records/programs/tierPolicy';
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
  { previous, request }: { previous?: Partial<TierPolicy>; request: Request },
): Promise<Partial<TierPolicy>> {
  const faults = [
    ...levelFaults(body.levels ?? []),
    ...policyFaults({ ...previous, ...body }),
    ...(await metricFaults(body, previous, request)),
  ];
  if (faults.length > 0) throw validationError(faults);
  return body;
}

/** The faults of metrics that nothing can count. */
async function metricFaults(
  { basis, levels = [], program }: Partial<TierPolicy>,
  previous: Partial<TierPolicy> | undefined,
  request: Request,
): Promise<FieldError[]> {
  const of = program ?? previous?.program;
  const metrics = metricsOf({ basis, levels });
  const misspelt = metrics.flatMap(({ at, metric }) => {
    const message = metricFault(metric);
    return message === undefined ? [] : [{ path: at, kind: 'reference', message }];
  });
  const names = of ? pursesOf(of, metrics) : [];
  return misspelt.length > 0 ? misspelt : missingNames(names, request);
}
