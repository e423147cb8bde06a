import { ObjectId } from 'bson';
import { ServiceError } from '#base/common/errors';
import { bisectFailures } from '#base/common/lists/bisectFailures';
import { existingIds } from '#base/db/existingIds';
import { inTransaction, withRetries } from '#base/db/transaction';
import { adjustMembers } from '#members/memberState/adjustMembers';
import { requestAuditor } from '#platform/audit/auditor';
import { type BulkRow, bulkPost } from '#platform/http/collection/bulkPost';
import type { Answer, Request } from '#platform/http/route';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { createReadRows } from '#platform/recordWrites/readRows';
import { failedRow, isOfRows } from '#platform/recordWrites/rowErrors';
import { accrualItemResource } from '#records/points/accrualItem';
import { type ItemToAdd, itemCreateBody } from './itemBodies';
import { itemFaults } from './itemFaults';
import { addTo } from './writeItems';

const readRows = createReadRows<ItemToAdd>(accrualItemResource, itemCreateBody);

type ItemRow = BulkRow<ItemToAdd> & { id: ObjectId };

/** The answer for a row that is stored. */
interface Added {
  _id: ObjectId;
}

/** `POST /accrualitems/bulk`: adds many items by hand. */
export function postItems(request: Request): Promise<Answer> {
  return bulkPost(request, { readRows, idName: 'bulkItem', store: (rows) => addRows(request, rows) });
}

async function addRows(
  request: Request,
  sent: readonly (BulkRow<ItemToAdd> | ServiceError)[],
): Promise<(Added | ServiceError)[]> {
  const { services, principal } = request;
  const keyed = sent.flatMap((row) => (row instanceof ServiceError || !row.id ? [] : [row.id]));
  const alreadyAdded = await existingIds(services.db, principal.org, accrualItemResource.path, keyed);
  const rows = sent.map((row) => (row instanceof ServiceError ? row : { ...row, id: row.id ?? new ObjectId() }));
  const missing = rows.filter(
    (row): row is ItemRow => !(row instanceof ServiceError) && !alreadyAdded.has(row.id.toHexString()),
  );
  const added = await bisectFailures(missing, (some) => addInOneTransaction(request, some), {
    isOfRows,
    failedAlone: (error, { body }) => failedRow(error, body),
  });
  const outcomes = new Map(missing.map((row, index) => [row, added[index]]));
  return rows.map((row) => (row instanceof ServiceError ? row : (outcomes.get(row) ?? { _id: row.id })));
}

async function addInOneTransaction(request: Request, rows: readonly ItemRow[]): Promise<(Added | ServiceError)[]> {
  const { services, principal } = request;
  const attempt = async () => {
    const now = services.clock.now();
    const faults = await itemFaults(
      services.db,
      principal.org,
      rows.map(({ body }) => body),
    );
    const good = rows.filter((_row, index) => !faults[index]);
    const changes = good.map(({ body, id }) => ({
      member: body.member,
      change: (state: Parameters<typeof addTo>[0]) => [addTo(state, body, id)],
    }));
    const refused = await inTransaction(services.db, (session) =>
      adjustMembers(services, requestAuditor(request), session, changes, now),
    );
    const byRow = new Map(good.map((row, index) => [row, refused[index]]));
    return rows.map((row, index) => faults[index] ?? byRow.get(row) ?? { _id: row.id });
  };
  return serializedPerOrg(services.db, principal.org, () => withRetries(attempt, { endsAt: request.endsAt }));
}
