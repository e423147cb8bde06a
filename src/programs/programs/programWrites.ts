import { validationError } from '#base/common/errors';
import { effectiveFaults } from '#base/schema/atoms';
import { bothOf } from '#platform/orgs/writeRecord';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import { rewardResource } from '#records/offers/reward';
import { type Program, programResource } from '#records/programs/program';
import { pursePolicyResource } from '#records/programs/pursePolicy';
import { preparePolicy } from './preparePolicy';
import { requireCurrencyKept } from './requireCurrencyKept';
import { requireTimezoneUnchanged } from './requireTimezoneUnchanged';

export const programWrites = defineWrites(programResource, {
  prepare: prepareProgram,
  along: (...change) => bothOf(requireTimezoneUnchanged(...change), requireCurrencyKept(...change)),
});

export const pursePolicyWrites = defineWrites(pursePolicyResource, {
  prepare: preparePolicy,
  uses: {
    by: ['name'],
    find: ({ program, name }) => [{ in: rewardResource, path: 'cost.purse', where: { program, 'cost.purse': name } }],
  },
});

/**
 * Checks that a program begins before it ends, which the schema cannot express.
 * @throws ServiceError 1200
 */
async function prepareProgram(body: Partial<Program>): Promise<Partial<Program>> {
  const faults = effectiveFaults(body.effective);
  if (faults.length > 0) throw validationError(faults);
  return body;
}
