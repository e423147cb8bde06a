import type { ImportMapping } from '#records/imports/importMapping';
import { requireDateFormat } from './dateFormat';
import { requireDistinct } from './requireDistinct';

/**
 * Checks a mapping that is to be kept. Its columns are compared with the file of each import.
 * @throws ServiceError 1200
 */
export function prepareMapping(
  body: Partial<ImportMapping>,
  previous: ImportMapping | undefined,
): Partial<ImportMapping> {
  requireDateFormat({ ...previous, ...body });
  requireDistinct(body);
  return body;
}
