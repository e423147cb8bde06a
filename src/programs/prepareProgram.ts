import { validationError } from '../errors';
import type { Program } from '../records/programs/program';
import { effectiveFaults } from '../schema/effective';

/**
 * Checks what the schema cannot say of a program: it begins before it ends.
 * @throws ServiceError 1200
 */
export async function prepareProgram(body: Partial<Program>): Promise<Partial<Program>> {
  const faults = effectiveFaults(body.effective);
  if (faults.length > 0) throw validationError(faults);
  return body;
}
