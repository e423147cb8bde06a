import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';

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
