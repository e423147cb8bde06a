import { inSnapshot } from '#base/db/inSnapshot';
import { readCount } from '#records/aggregates/countAll';
import { countedPaths } from '#records/aggregates/recordCount';
import type { OrgCheck } from '../reconciledOrg';

/** Finds record counts that differ from the number of records. Both are read in one snapshot. */
export const recordCounts: OrgCheck = async function* ({ db, org }) {
  for (const path of countedPaths) {
    const [kept, found] = await inSnapshot(db, async (at) => {
      const count = await readCount(db, at, org, path);
      return count === undefined ? [] : [count, await db.collection(path).countDocuments({ org }, at)];
    });
    if (kept === found) continue;
    const remedy = 'delete its documents in recordcounts, and it is counted anew';
    yield { message: `Org ${org} has ${found} records in ${path}, but ${kept} are counted; ${remedy}` };
  }
};
