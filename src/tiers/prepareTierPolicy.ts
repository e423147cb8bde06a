import { validationError } from '../errors';
import type { TierPolicy } from '../records/programs/tierPolicy';
import { levelFaults } from './ladder/levelFaults';

/**
 * Checks what the schema cannot say of a tier policy: its levels make a ladder.
 * @throws ServiceError 1200 naming every level in error
 */
export async function prepareTierPolicy(body: Partial<TierPolicy>): Promise<Partial<TierPolicy>> {
  const faults = levelFaults(body.levels ?? []);
  if (faults.length > 0) throw validationError(faults);
  return body;
}
