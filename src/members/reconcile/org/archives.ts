import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { inSnapshot, type SnapshotOptions } from '#base/db/inSnapshot';
import { archivedPageResource } from '#records/archives/archivedPage';
import { archiveOpeningResource } from '#records/archives/archiveOpening';
import { archiveVolumeResource } from '#records/archives/archiveVolume';
import { countPackedIds } from '#records/archives/findArchived';
import type { OrgCheck } from '../reconciledOrg';

/**
 * Finds archived activities that are noted twice or not at all: volumes, ids and members must say the same number of
 * them. Each transaction that archives some writes all three.
 */
export const archives: OrgCheck = async function* ({ db, org }) {
  const { volumes, members, ids, distinct } = await inSnapshot(db, (at) => countArchived(db, at, org));
  if (ids !== distinct) yield { message: `Org ${org} has ${ids} ids of ${distinct} archived activities` };
  if (ids !== volumes)
    yield { message: `Org ${org} has ${ids} ids of archived activities, but its volumes ${volumes}` };
  if (ids !== members)
    yield { message: `Org ${org} has ${ids} ids of archived activities, but its members count ${members}` };
};

async function countArchived(db: Connection, at: SnapshotOptions, org: ObjectId) {
  const volumes = await sumOf(db, at, archiveVolumeResource.path, { org, sum: '$removed' });
  const members = await sumOf(db, at, archiveOpeningResource.path, { org, sum: '$activities' });
  const pages = collectionOf(db, archivedPageResource).find({ org }, at).sort({ _id: 1 });
  return { volumes, members, ...(await countPackedIds(pages)) };
}

async function sumOf(
  db: Connection,
  at: SnapshotOptions,
  path: string,
  { org, sum }: { org: ObjectId; sum: string },
): Promise<number> {
  const [found] = await db
    .collection(path)
    .aggregate<{ sum: number }>([{ $match: { org } }, { $group: { _id: null, sum: { $sum: sum } } }], at)
    .toArray();
  return found?.sum ?? 0;
}
