import { malformed, ServiceError } from '#base/common/errors';
import { message, pickMessage } from '#base/common/messages/message';
import { isDuplicateKey } from '#base/db/transaction';
import { uniqueFault } from '#platform/recordWrites/uniqueFault';
import { toServiceError } from '../middleware';

/** The `error` of a row of a bulk post. */
export function rowError(error: ServiceError) {
  const { code, status, details } = error;
  return { code, ...pickMessage(error), status, ...(details.errors ? { errors: details.errors } : {}) };
}

/** Tells whether a failed write of rows may be the fault of one of them. */
export function isOfRows(error: unknown): boolean {
  if (error instanceof ServiceError) return error.reason !== 'unavailable';
  return isDuplicateKey(error) || toServiceError(error).reason === 'database';
}

/** The error of a row whose write failed alone. */
export function failedRow(error: unknown, row: object): ServiceError {
  return toServiceError(uniqueFault(error, row));
}

/** Bulk posts of records: the most rows, and the most bytes of the body. */
export const bulkLimits = { rowsMax: 1000, maxBytes: 16 * 1_048_576, atOnce: 250 } as const;

/**
 * The rows of the body of a bulk post.
 * @throws ServiceError 1210 when the body is no list, empty or too long
 */
export function rowsOf(body: unknown): unknown[] {
  if (!Array.isArray(body)) throw malformed(message('http.bodyNotRecords'));
  const { rowsMax } = bulkLimits;
  if (body.length === 0 || body.length > rowsMax) throw malformed(message('http.bulkSize', { max: rowsMax }));
  return body;
}
