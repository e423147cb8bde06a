import { RE2JS } from 're2js';
import { type FieldError, validationError } from '../errors';
import type { ExtDef } from './extDef';

/**
 * Checks what the schema cannot say of an extension definition, as it will be stored: an enum names its type, the
 * pattern is one, and the bounds are in order. What is not of its type is kept and means nothing.
 * @throws ServiceError 1200 naming every field in error
 */
export async function prepareExtDef(body: Partial<ExtDef>, previous?: ExtDef): Promise<Partial<ExtDef>> {
  const faults = definitionFaults({ ...previous, ...body });
  if (faults.length > 0) throw validationError(faults);
  return body;
}

function definitionFaults({ type, enumType, pattern, min, max }: Partial<ExtDef>): FieldError[] {
  const faults: FieldError[] = [];
  if (type === 'enum' && enumType === undefined) {
    faults.push({ path: 'enumType', kind: 'required', message: 'is required of type enum' });
  }
  if (pattern !== undefined && !isPattern(pattern)) {
    faults.push({ path: 'pattern', kind: 'format', message: 'is not a regular expression of RE2' });
  }
  if (min !== undefined && max !== undefined && min > max) {
    faults.push({ path: 'max', kind: 'minimum', message: 'must be >= min' });
  }
  return faults;
}

function isPattern(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}
