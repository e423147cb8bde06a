import { ObjectId } from 'bson';
import { bisectFailures } from '#base/common/bisectFailures';
import { elapsedMs } from '#base/common/clock';
import { errorEntry, ServiceError, unavailable } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { derivedId } from '#base/db/records';
import { inTransaction, withRetries } from '#base/db/transaction';
import { adjustMembers } from '#members/memberState/adjustMembers';
import { auditorOf } from '#platform/audit/auditor';
import { bulkLimits, rowsOf } from '#platform/http/collection/rowAnswer';
import { sentKey } from '#platform/http/keys/sentKey';
import { type Answer, ok, type Request } from '#platform/http/route';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { createReadRows } from '#platform/recordWrites/readRows';
import { failedRow, isOfRows } from '#platform/recordWrites/rowErrors';
import { accrualItemResource } from '#records/points/accrualItem';
import { type ItemToAdd, itemCreateBody } from './itemBodies';
import { itemFaults } from './itemFaults';
import { addTo } from './writeItems';

const readRows = createReadRows<ItemToAdd>(accrualItemResource, itemCreateBody);

interface ItemRow {
  body: ItemToAdd;
  id: ObjectId;
}

/** `POST /accrualitems/bulk`: adds many items by hand. A refused row does not fail the others (docs/design/bulk.md). */
export async function postItems(request: Request): Promise<Answer> {
  const { services, principal, body: sent, endsAt } = request;
  const definitions = await services.extDefinitions.current(principal.org, principal.versions?.definitionsVersion);
  const read = await readRows(rowsOf(sent), definitions);
  const key = sentKey(request.headers);
  const rows = read.map((each, index) =>
    each instanceof Error ? each : { body: each, id: idOfRow(request, key, index) },
  );
  const outcomes: (ObjectId | ServiceError)[] = [];
  for (let start = 0; start < rows.length; start += bulkLimits.atOnce) {
    // The client has its 503 by now. It repeats the request, with its key, to have the rest done.
    if (elapsedMs() >= endsAt) throw unavailable(message('exchange.rowsNotStored'));
    outcomes.push(...(await addSome(request, rows.slice(start, start + bulkLimits.atOnce), key !== undefined)));
  }
  return ok(
    outcomes.map((each, index) =>
      each instanceof ServiceError ? { index, error: errorEntry(each) } : { index, _id: each },
    ),
  );
}

/** The id of a row. A repetition with the same key has it too, so that the item is not added twice. */
function idOfRow({ principal }: Request, key: string | undefined, index: number): ObjectId {
  return key === undefined ? new ObjectId() : derivedId('bulkItem', principal.org, key, index);
}

async function addSome(request: Request, rows: readonly (ItemRow | ServiceError)[], isKeyed: boolean) {
  const done = isKeyed ? await alreadyAdded(request, rows) : new Set<string>();
  const open = rows.filter((row): row is ItemRow => !(row instanceof Error) && !done.has(row.id.toHexString()));
  const added = await bisectFailures(open, (some) => addTogether(request, some), {
    isOfRows,
    failedAlone: (error, { body }) => failedRow(error, body),
  });
  const outcomes = new Map(open.map((row, index) => [row, added[index]]));
  return rows.map((row) => (row instanceof Error ? row : (outcomes.get(row) ?? row.id)));
}

async function alreadyAdded({ services, principal }: Request, rows: readonly (ItemRow | ServiceError)[]) {
  const ids = rows.flatMap((row) => (row instanceof Error ? [] : [row.id]));
  const found = await collectionOf(services.db, accrualItemResource)
    .find({ org: principal.org, _id: { $in: ids } }, { projection: { _id: 1 } })
    .toArray();
  return new Set(found.map(({ _id }) => _id.toHexString()));
}

async function addTogether(request: Request, rows: readonly ItemRow[]): Promise<(ObjectId | ServiceError)[]> {
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
      adjustMembers(services, auditorOf(request), session, changes, now),
    );
    const byRow = new Map(good.map((row, index) => [row, refused[index]]));
    return rows.map((row, index) => faults[index] ?? byRow.get(row) ?? row.id);
  };
  return serializedPerOrg(services.db, principal.org, () => withRetries(attempt, { endsAt: request.endsAt }));
}
