import type { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { eachYielding } from '#base/db/readYielding';
import { type Member, memberResource } from '#records/members/member';
import type { ReconciledOrg } from './reconciledOrg';

/** Most members that are read together, and most journal entries of them. A member with more is read alone. */
const pageLimits = { membersMax: 500, entriesMax: 4000 } as const;

/** Members of an org, by the ids of the first and the last of them. */
export interface MemberRange {
  from: ObjectId;
  to: ObjectId;
}

/** All members of an org, in ranges that are read together, in order of id. */
export async function* memberRanges({ db, org }: ReconciledOrg): AsyncGenerator<MemberRange, void, undefined> {
  const found = collectionOf(db, memberResource)
    .find({ org })
    .sort({ _id: 1 })
    .project<Pick<Member, '_id' | 'seq'>>({ seq: 1 });
  let range: MemberRange | undefined;
  let [members, entries] = [0, 0];
  for await (const { _id, seq } of eachYielding(found)) {
    if (range && (members === pageLimits.membersMax || entries + seq > pageLimits.entriesMax)) {
      yield range;
      range = undefined;
      [members, entries] = [0, 0];
    }
    range = { from: range?.from ?? _id, to: _id };
    members += 1;
    entries += seq;
  }
  if (range) yield range;
}
