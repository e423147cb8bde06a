import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import type { Page } from '#base/query/page';
import { type FoundPage, readSorted } from '#base/query/read/readSorted';
import type { Sort } from '#base/query/sort';
import { archivedPeriodError } from '#records/archives/findArchived';
import type { Member } from '#records/members/member';
import { journalResource } from '#records/points/journal';

/** The page of a statement to read. */
export interface StatementPage extends Page {
  /** Only the purse of this policy; by default all purses, one after the other. */
  purse?: ObjectId;
  /** Only what took effect from this instant on, and before that one; by default all. */
  from?: Date;
  to?: Date;
}

type StatementMember = Pick<Member, '_id' | 'mergeIds'>;

/** The order of a statement: by purse and time. The `seq` of one member has no order with the `seq` of another. */
export function statementSort({ mergeIds }: StatementMember): Sort {
  return mergeIds.length === 0 ? { purse: 1, seq: 1 } : { purse: 1, at: 1, member: 1, seq: 1 };
}

/**
 * Reads the journal of a member with the balance after each entry, sorted by purse and time. The journals of members
 * merged into it are included, with their own entries and balances. Archived entries are one entry `opening` of their purse.
 * @throws ServiceError 1521 for a period of which entries are archived
 */
export async function readStatement(
  db: Connection,
  org: ObjectId,
  member: StatementMember,
  { purse, from, to, ...page }: StatementPage,
): Promise<FoundPage> {
  const all = { org, member: { $in: [member._id, ...member.mergeIds] }, ...(purse ? { purse } : {}) };
  if (from || to) await requireKept(db, all, member, from);
  const at = { ...(from ? { $gte: from } : {}), ...(to ? { $lt: to } : {}) };
  const filter = { ...all, ...(from || to ? { at } : {}) };
  const sorted = { ...page, filter, sort: statementSort(member), projection: {} };
  return readSorted(db.collection(journalResource.path), sorted);
}

/** An `opening` entry has the date of the last archived one. A period that begins later has all of its entries. */
async function requireKept(
  db: Connection,
  entries: Record<string, unknown>,
  member: StatementMember,
  from: Date | undefined,
): Promise<void> {
  const [opening] = await collectionOf(db, journalResource)
    .find({ ...entries, kind: 'opening', ...(from ? { at: { $gte: from } } : {}) })
    .sort({ at: -1 })
    .limit(1)
    .toArray();
  if (opening) throw archivedPeriodError(member._id, opening.at);
}
