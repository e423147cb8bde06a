import { bisectFailures } from '#base/common/bisectFailures';
import { elapsedMs } from '#base/common/clock';
import { errorEntry, ServiceError, unavailable } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { derivedId } from '#base/db/records';
import { inTransaction, withRetries } from '#base/db/transaction';
import { bulkLimits, rowsOf } from '#platform/http/collection/rowAnswer';
import { sentKey } from '#platform/http/keys/sentKey';
import { type Answer, ok, type Request } from '#platform/http/route';
import { createReadRows } from '#platform/recordWrites/readRows';
import { failedRow, isOfRows } from '#platform/recordWrites/rowErrors';
import { type Member, memberResource } from '#records/members/member';
import { notingMax } from './createMember';
import { memberCreateBody, type NewMember } from './memberBody';
import { type MemberPlan, type MemberRow, planMembers, storePlannedMembers } from './planMembers';

const readRows = createReadRows<NewMember>(memberResource, memberCreateBody);

type Created = Pick<Member, '_id' | 'loyaltyID'>;

/** `POST /members/bulk`: creates many members. A row that is refused does not fail the others (docs/design/bulk.md). */
export async function postMembers(request: Request): Promise<Answer> {
  const { services, principal, body: sent, endsAt } = request;
  const definitions = await services.extDefinitions.current(principal.org, principal.versions?.definitionsVersion);
  const read = await readRows(rowsOf(sent), definitions);
  const key = sentKey(request.headers);
  const rows = read.map((each, index) =>
    each instanceof Error ? each : { body: each, ...idOfRow(request, key, index) },
  );
  const outcomes: (Created | ServiceError)[] = [];
  for (let start = 0; start < rows.length; start += bulkLimits.atOnce) {
    // The client has its 503 by now. It repeats the request, with its key, to have the rest done.
    if (elapsedMs() >= endsAt) throw unavailable(message('exchange.rowsNotStored'));
    outcomes.push(...(await createSome(request, rows.slice(start, start + bulkLimits.atOnce))));
  }
  return ok(
    outcomes.map((each, index) =>
      each instanceof ServiceError
        ? { index, error: errorEntry(each) }
        : { index, _id: each._id, loyaltyID: each.loyaltyID },
    ),
  );
}

/** The id of a row that a repetition with the same key has too, so that it is not created twice. */
function idOfRow({ principal }: Request, key: string | undefined, index: number) {
  return key === undefined ? {} : { id: derivedId('bulkMember', principal.org, key, index) };
}

async function createSome(request: Request, rows: readonly (MemberRow | ServiceError)[]) {
  const done = await alreadyCreated(request, rows);
  const open = rows.flatMap((row, index) => (row instanceof Error || done.has(index) ? [] : [{ row, index }]));
  const made = await bisectFailures(
    open.map(({ row }) => row),
    (some) => createTogether(request, some),
    { isOfRows, failedAlone: (error, { body }) => failedRow(error, body) },
  );
  const outcomes = new Map(open.map(({ index }, n) => [index, made[n]]));
  return rows.flatMap((row, index) => {
    const outcome = row instanceof Error ? row : (done.get(index) ?? outcomes.get(index));
    return outcome ? [outcome] : [];
  });
}

/** The members that an earlier attempt with the same key created, by the index of their row. */
async function alreadyCreated({ services, principal }: Request, rows: readonly (MemberRow | ServiceError)[]) {
  const requested = rows.flatMap((row, index) =>
    row instanceof Error || !row.id ? [] : [[row.id.toHexString(), index] as const],
  );
  if (requested.length === 0) return new Map<number, Created>();
  const indexes = new Map(requested);
  const ids = rows.flatMap((row) => (row instanceof Error || !row.id ? [] : [row.id]));
  const found = await collectionOf(services.db, memberResource)
    .find({ org: principal.org, _id: { $in: ids } })
    .project<Created>({ loyaltyID: 1 })
    .toArray();
  return new Map(
    found.flatMap((each) => {
      const index = indexes.get(each._id.toHexString());
      return index === undefined ? [] : [[index, each] as const];
    }),
  );
}

async function createTogether(request: Request, rows: readonly MemberRow[]): Promise<(Created | ServiceError)[]> {
  const { services, principal, now } = request;
  const attempt = async () => {
    const plans = await planMembers(services, principal, rows, now);
    const good = plans.filter((each): each is MemberPlan => !(each instanceof Error));
    if (good.length > 0) {
      await inTransaction(services.db, (session) => storePlannedMembers(services, principal, session, good, now));
    }
    return plans.map((each) => (each instanceof Error ? each : each.member));
  };
  return withRetries(attempt, { attemptsMax: notingMax, endsAt: request.endsAt });
}
