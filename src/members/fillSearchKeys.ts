import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { memberKeys } from '../records/members/find/memberKeys';
import { type Member, memberResource } from '../records/members/member';
import { orgResource } from '../records/users/org';

/** Number of members that one command changes. */
const pageSize = 1000;

type Unfilled = Pick<Member, '_id' | 'version' | 'loyaltyIDs' | 'firstName' | 'lastName' | 'email' | 'phone'>;

/** What is read of a member: the fields that its keys come from, and its version. */
const read = { loyaltyIDs: 1, firstName: 1, lastName: 1, email: 1, phone: 1, version: 1 } as const;

/**
 * Stores the keys of members of one org, or of all orgs, that have none: an older version of the service stored them.
 * Several runs may work at once and may be killed; a page that another request changed meanwhile is read again.
 * @returns how many members got keys
 */
export async function fillSearchKeys(db: Connection, org?: ObjectId): Promise<number> {
  const orgs = org ? [{ _id: org }] : await collectionOf(db, orgResource).find().project({ _id: 1 }).toArray();
  let filled = 0;
  for (const { _id } of orgs) filled += await fillOrg(db, _id);
  return filled;
}

async function fillOrg(db: Connection, org: ObjectId): Promise<number> {
  const members = collectionOf(db, memberResource);
  for (let filled = 0; ; ) {
    const page = await members
      .find({ org, searchKeys: { $exists: false } }, { limit: pageSize, hint: byKeys })
      .project<Unfilled>(read)
      .toArray();
    if (page.length === 0) return filled;
    const updates = page.map((member) => ({
      updateOne: {
        filter: { _id: member._id, org, version: member.version, searchKeys: { $exists: false } },
        update: { $set: { searchKeys: memberKeys(member) } },
      },
    }));
    filled += (await members.bulkWrite(updates, { ordered: false })).modifiedCount;
  }
}

/** The index of members without keys. */
const byKeys = { org: 1, searchKeys: 1, _id: 1 } as const;
