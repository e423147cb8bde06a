import { type FieldError, validationError } from '#base/common/errors';
import { levelFaults } from '#engine/tiers/levelFaults';
import { policyFaults } from '#engine/tiers/policyFaults';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import { missingNames } from '#programs/catalog/names/missingNames';
import { metricPurses, tierMetrics } from '#programs/catalog/names/tierMetrics';
import { metricFault } from '#records/aggregates/metricNames';
import type { TierPolicy } from '#records/programs/tierPolicy';
import { tierPolicyResource } from '#records/programs/tierPolicy';

export const tierPolicyWrites = defineWrites(tierPolicyResource, { prepare: prepareTierPolicy });

/**
 * Checks that the levels of a tier policy form a ladder and that its terms fit, which the schema cannot express.
 * @throws ServiceError 1200 naming every level in error
 */
async function prepareTierPolicy(
  body: Partial<TierPolicy>,
  context: OrgContext,
  previous?: Partial<TierPolicy>,
): Promise<Partial<TierPolicy>> {
  const faults = [
    ...levelFaults(body.levels ?? []),
    ...policyFaults({ ...previous, ...body }),
    ...(await metricFaults(body, previous, context)),
  ];
  if (faults.length > 0) throw validationError(faults);
  return body;
}

/** The faults of metrics that can never count anything. */
async function metricFaults(
  { basis, levels = [], program }: Partial<TierPolicy>,
  previous: Partial<TierPolicy> | undefined,
  context: OrgContext,
): Promise<FieldError[]> {
  const of = program ?? previous?.program;
  const metrics = tierMetrics({ basis, levels });
  const misspelt = metrics.flatMap(({ at, metric }) => {
    const fault = metricFault(metric);
    return fault === undefined ? [] : [{ path: at, kind: 'reference', ...fault }];
  });
  const names = of ? metricPurses(of, metrics) : [];
  return misspelt.length > 0 ? misspelt : missingNames(names, context);
}
