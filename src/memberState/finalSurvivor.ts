import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { memberResource } from '../records/members/member';

/** The member that a merged one lives on in after all merges; a survivor may be merged itself. */
export async function finalSurvivor(db: Connection, org: ObjectId, merged: ObjectId): Promise<ObjectId> {
  let id = merged;
  // Merges make no circle: whoever was merged is no survivor any more.
  for (;;) {
    const member = await collectionOf(db, memberResource).findOne({ org, _id: id }, { projection: { mergedInto: 1 } });
    assert(member, 'members are never deleted');
    if (!member.mergedInto) return id;
    id = member.mergedInto;
  }
}
