import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { inSnapshot } from '#base/db/inSnapshot';
import { readCount } from '#records/aggregates/countAll';
import { countedPaths } from '#records/aggregates/recordCount';
import { orgResource } from '#records/users/org';
import type { Mismatch } from './checkInvariants';

/** Finds record counts that differ from the number of records. Both are read in one snapshot. */
export async function* findMiscounts(db: Connection, org?: ObjectId): AsyncGenerator<Mismatch> {
  const orgs = org ? [org] : await collectionOf(db, orgResource).distinct('_id');
  for (const each of orgs) {
    for (const path of countedPaths) {
      const [kept, found] = await inSnapshot(db, async (at) => {
        const count = await readCount(db, at, each, path);
        return count === undefined ? [] : [count, await db.collection(path).countDocuments({ org: each }, at)];
      });
      if (kept === found) continue;
      const remedy = 'delete its documents in recordcounts, and it is counted anew';
      yield { message: `Org ${each} has ${found} records in ${path}, but ${kept} are counted; ${remedy}` };
    }
  }
}
