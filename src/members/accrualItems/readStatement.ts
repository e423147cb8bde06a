import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Page } from '#base/query/page';
import { type FoundPage, readSorted } from '#base/query/read/readSorted';
import type { Sort } from '#base/query/sort';
import type { Member } from '#records/members/member';
import { journalResource } from '#records/points/journal';

/** The page of a statement to read. */
export interface StatementPage extends Page {
  /** Only the purse of this policy; by default all purses, one after the other. */
  purse?: ObjectId;
}

type StatementMember = Pick<Member, '_id' | 'mergeIds'>;

/** The order of a statement: by purse and time. The `seq` of one member has no order with the `seq` of another. */
export function statementSort({ mergeIds }: StatementMember): Sort {
  return mergeIds.length === 0 ? { purse: 1, seq: 1 } : { purse: 1, at: 1, member: 1, seq: 1 };
}

/**
 * Reads the journal of a member with the balance after each entry, sorted by purse and time. The journals of members
 * merged into it are included, with their own entries and balances.
 */
export async function readStatement(
  db: Connection,
  org: ObjectId,
  member: StatementMember,
  { purse, ...page }: StatementPage,
): Promise<FoundPage> {
  const filter = { org, member: { $in: [member._id, ...member.mergeIds] }, ...(purse ? { purse } : {}) };
  const sorted = { ...page, filter, sort: statementSort(member), projection: {} };
  return readSorted(db.collection(journalResource.path), sorted);
}
