import { validationError } from '../errors';
import { effectiveFaults } from '../schema/effective';
import type { Program } from './program';

/**
 * Checks what the schema cannot say of a program: it begins before it ends.
 * @throws ServiceError 1200
 */
export async function prepareProgram(body: Partial<Program>): Promise<Partial<Program>> {
  const faults = effectiveFaults(body.effective);
  if (faults.length > 0) throw validationError(faults);
  return body;
}
