import { ServiceError } from '#base/common/errors';
import { toServiceError } from '#base/db/toServiceError';
import { isDuplicateKey } from '#base/db/transaction';
import { uniqueFault } from './uniqueFault';

/** Tells whether a failed write of rows may be the fault of one of them. */
export function isOfRows(error: unknown): boolean {
  if (error instanceof ServiceError) return error.reason !== 'unavailable';
  return isDuplicateKey(error) || toServiceError(error).reason === 'database';
}

/** The error of a row whose write failed alone. */
export function failedRow(error: unknown, row: object): ServiceError {
  return toServiceError(uniqueFault(error, row));
}
