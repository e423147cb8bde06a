import type { ServiceError } from '#base/common/errors';
import { bisectFailures } from '#base/common/lists/bisectFailures';
import { collectionOf } from '#base/db/collections';
import { inTransaction, withRetries } from '#base/db/transaction';
import { bulkPost } from '#platform/http/collection/bulkPost';
import type { Answer, Request } from '#platform/http/route';
import { createReadRows } from '#platform/recordWrites/readRows';
import { failedRow, isOfRows } from '#platform/recordWrites/rowErrors';
import { type Member, memberResource } from '#records/members/member';
import { referralAttemptsMax } from './createMember';
import { memberCreateBody, type NewMember } from './memberBody';
import { type MemberPlan, type MemberRow, planMembers, storePlannedMembers } from './planMembers';

const readRows = createReadRows<NewMember>(memberResource, memberCreateBody);

type Created = Pick<Member, '_id' | 'loyaltyID'>;

/** `POST /members/bulk`: creates many members. */
export function postMembers(request: Request): Promise<Answer> {
  return bulkPost(request, { readRows, idName: 'bulkMember', store: (rows) => createRows(request, rows) });
}

async function createRows(request: Request, rows: readonly (MemberRow | ServiceError)[]) {
  const created = await alreadyCreated(request, rows);
  const missing = rows.flatMap((row, index) => (row instanceof Error || created.has(index) ? [] : [{ row, index }]));
  const made = await bisectFailures(
    missing.map(({ row }) => row),
    (some) => createInOneTransaction(request, some),
    { isOfRows, failedAlone: (error, { body }) => failedRow(error, body) },
  );
  const outcomes = new Map(missing.map(({ index }, n) => [index, made[n]]));
  return rows.flatMap((row, index) => {
    const outcome = row instanceof Error ? row : (created.get(index) ?? outcomes.get(index));
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

async function createInOneTransaction(
  request: Request,
  rows: readonly MemberRow[],
): Promise<(Created | ServiceError)[]> {
  const { services, principal, now } = request;
  const attempt = async () => {
    const plans = await planMembers(services, principal, rows, now);
    const good = plans.filter((each): each is MemberPlan => !(each instanceof Error));
    if (good.length > 0) {
      await inTransaction(services.db, (session) => storePlannedMembers(services, principal, session, good, now));
    }
    return plans.map((each) => (each instanceof Error ? each : pickCreated(each.member)));
  };
  return withRetries(attempt, { attemptsMax: referralAttemptsMax, endsAt: request.endsAt });
}

function pickCreated({ _id, loyaltyID }: Created): Created {
  return { _id, loyaltyID };
}
