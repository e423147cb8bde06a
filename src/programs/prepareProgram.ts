import { invalidField } from '../errors';
import type { Program } from './program';

/**
 * Checks what the schema cannot say of a program: it begins before it ends.
 * @throws ServiceError 1200
 */
export async function prepareProgram(body: Partial<Program>): Promise<Partial<Program>> {
  const { from, to } = body.effective ?? {};
  if (from && to && from >= to) throw invalidField('effective.to', 'date', 'must be after effective.from');
  return body;
}
