import { validationError } from '#base/common/errors';
import { effectiveFaults } from '#base/schema/atoms';
import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes } from '#platform/http/collection/collectionRoutes';
import type { Route } from '#platform/http/route';
import { bothOf } from '#platform/orgs/writeRecord';
import { rewardResource } from '#records/offers/reward';
import { type Program, programResource } from '#records/programs/program';
import { pursePolicyResource } from '#records/programs/pursePolicy';
import { preparePolicy } from './preparePolicy';
import { requireCurrencyKept } from './requireCurrencyKept';
import { requireTimezoneUnchanged } from './requireTimezoneUnchanged';

/** Routes of programs and of purse policies. */
export const programRoutes: Route[] = [
  ...collectionRoutes(programResource, {
    operations: allOperations,
    prepare: prepareProgram,
    along: (...change) => bothOf(requireTimezoneUnchanged(...change), requireCurrencyKept(...change)),
  }),
  ...collectionRoutes(pursePolicyResource, {
    operations: allOperations,
    prepare: (body, { request }) => preparePolicy(body, request),
    uses: {
      by: ['name'],
      find: ({ program, name }) => [{ in: rewardResource, path: 'cost.purse', where: { program, 'cost.purse': name } }],
    },
  }),
];

/**
 * Checks that a program begins before it ends, which the schema cannot express.
 * @throws ServiceError 1200
 */
async function prepareProgram(body: Partial<Program>): Promise<Partial<Program>> {
  const faults = effectiveFaults(body.effective);
  if (faults.length > 0) throw validationError(faults);
  return body;
}
