import type { ObjectId } from 'bson';
import { elapsedMs } from '#base/common/clock';
import { errorEntry, malformed, ServiceError, unavailable } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { derivedId } from '#base/db/records';
import type { ReadRows } from '#platform/recordWrites/readRows';
import { sentKey } from '../keys/sentKey';
import { type Answer, ok, type Request } from '../route';

/** Bulk posts of records: the most rows, and the most bytes of the body. */
export const bulkLimits = { rowsMax: 1000, maxBytes: 16 * 1_048_576, atOnce: 250 } as const;

/**
 * The rows of the body of a bulk post.
 * @throws ServiceError 1210 when the body is no list, empty or too long
 */
function requireRows(body: unknown): unknown[] {
  if (!Array.isArray(body)) throw malformed(message('http.bodyNotRecords'));
  const { rowsMax } = bulkLimits;
  if (body.length === 0 || body.length > rowsMax) throw malformed(message('http.bulkSize', { max: rowsMax }));
  return body;
}

/** A row that could be read. When the request has a key, the row has an id that is the same in every repetition. */
export interface BulkRow<B> {
  body: B;
  id?: ObjectId;
}

/** How the rows of a bulk post are read and stored. */
export interface BulkPost<B> {
  readRows: ReadRows<B>;
  /** A name from which the ids of rows are derived, different for each route. */
  idName: string;
  /** Stores some rows. @returns for each, in their order, its error or what the answer shows of it */
  store(rows: readonly (BulkRow<B> | ServiceError)[]): Promise<(object | ServiceError)[]>;
}

/**
 * Answers a bulk post of records. A refused row does not fail the others (docs/design/bulk.md).
 * @throws ServiceError 1210 as {@link requireRows} does; 1310 when the time is over before all rows are stored
 */
export async function bulkPost<B extends object>(
  request: Request,
  { readRows, idName, store }: BulkPost<B>,
): Promise<Answer> {
  const { services, principal, body: sent, endsAt } = request;
  const definitions = await services.extDefinitions.current(principal.org, principal.versions?.definitionsVersion);
  const read = await readRows(requireRows(sent), definitions);
  const key = sentKey(request.headers);
  const idOfRow = (index: number) => (key === undefined ? {} : { id: derivedId(idName, principal.org, key, index) });
  const rows = read.map((each, index) => (each instanceof ServiceError ? each : { body: each, ...idOfRow(index) }));
  const outcomes: (object | ServiceError)[] = [];
  for (let start = 0; start < rows.length; start += bulkLimits.atOnce) {
    // The client has received 503 by now. When it repeats the request with its key, the rest is stored.
    if (elapsedMs() >= endsAt) throw unavailable(message('exchange.rowsNotStored'));
    outcomes.push(...(await store(rows.slice(start, start + bulkLimits.atOnce))));
  }
  return ok(
    outcomes.map((each, index) =>
      each instanceof ServiceError ? { index, error: errorEntry(each) } : { index, ...each },
    ),
  );
}
