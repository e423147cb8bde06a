import type { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { lowestId } from '#base/db/records';
import { memberKeys } from '#records/members/find/memberKeys';
import { type Member, memberResource } from '#records/members/member';
import type { Migration } from './migration';

/** Number of members that one command changes. */
const pageSize = 1000;

type Unfilled = Pick<Member, '_id' | 'org' | 'version' | 'loyaltyIDs' | 'firstName' | 'lastName' | 'email' | 'phone'>;

/** What is read of a member: the fields that its keys come from, and its version. */
const read = { org: 1, loyaltyIDs: 1, firstName: 1, lastName: 1, email: 1, phone: 1, version: 1 } as const;

/**
 * Stores the keys by which members are found, in those that an early version stored without keys. A member that is
 * changed in the meantime keeps that change, and is read again.
 */
export const fillSearchKeys: Migration = {
  number: 2,
  name: 'members are found by keys',
  async up(db, { progress, signal }) {
    const members = collectionOf(db, memberResource);
    const total = await members.estimatedDocumentCount();
    let filled = 0;
    let after: ObjectId = lowestId;
    for (;;) {
      signal.throwIfAborted();
      const page = await members
        .find({ _id: { $gt: after }, searchKeys: { $exists: false } })
        .sort({ _id: 1 })
        .limit(pageSize)
        .project<Unfilled>(read)
        .toArray();
      if (page.length === 0) break;
      const { modifiedCount } = await members.bulkWrite(page.map(searchKeysUpdate), { ordered: false });
      filled += modifiedCount;
      progress(filled, total);
      // A page in which somebody changed a member is read again.
      if (modifiedCount === page.length) after = page.at(-1)?._id ?? after;
    }
  },
};

function searchKeysUpdate(member: Unfilled) {
  const { _id, org, version } = member;
  return {
    updateOne: {
      filter: { _id, org, version, searchKeys: { $exists: false } },
      update: { $set: { searchKeys: memberKeys(member) } },
    },
  };
}
