import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { inSnapshot, type SnapshotOptions } from '#base/db/inSnapshot';
import { archivedKeyResource } from '#records/archives/archivedKey';
import { archivedPageResource } from '#records/archives/archivedPage';
import { archiveOpeningResource } from '#records/archives/archiveOpening';
import { archiveVolumeResource } from '#records/archives/archiveVolume';
import { countPackedIds } from '#records/archives/findArchived';
import type { OrgCheck } from '../reconciledOrg';

/**
 * Finds archived activities that are noted twice or not at all: volumes, ids and members must say the same number of
 * them. Each transaction that archives some writes all three. The same is true of archived points and keys.
 */
export const archives: OrgCheck = async function* ({ db, org }) {
  const { volumes, members, ids, distinct, points, units, remembered, keys } = await inSnapshot(db, (at) =>
    countArchived(db, at, org),
  );
  if (ids !== distinct) yield { message: `Org ${org} has ${ids} ids of ${distinct} archived activities` };
  if (ids !== volumes)
    yield { message: `Org ${org} has ${ids} ids of archived activities, but its volumes ${volumes}` };
  if (ids !== members)
    yield { message: `Org ${org} has ${ids} ids of archived activities, but its members count ${members}` };
  if (points !== units) yield { message: `Org ${org} has volumes with ${points} lots, but its members count ${units}` };
  if (remembered !== keys)
    yield { message: `Org ${org} has ${keys} archived keys, but its volumes have ${remembered}` };
};

async function countArchived(db: Connection, at: SnapshotOptions, org: ObjectId) {
  const [points, histories] = [{ kind: 'points' }, { kind: { $nin: ['points', 'submissions'] } }];
  const ofVolumes = (filter: object, sum: string) =>
    sumOf(db, at, archiveVolumeResource.path, { filter: { org, ...filter }, sum });
  const volumes = await ofVolumes(histories, '$removed');
  const members = await sumOf(db, at, archiveOpeningResource.path, { filter: { org }, sum: '$activities' });
  const pages = collectionOf(db, archivedPageResource).find({ org }, at).sort({ _id: 1 });
  return {
    volumes,
    members,
    ...(await countPackedIds(pages)),
    points: await ofVolumes(points, '$removed'),
    units: await sumOf(db, at, archiveOpeningResource.path, { filter: { org }, sum: '$units' }),
    remembered: await ofVolumes({}, '$keys'),
    keys: await db.collection(archivedKeyResource.path).countDocuments({ org }, at),
  };
}

async function sumOf(
  db: Connection,
  at: SnapshotOptions,
  path: string,
  { filter, sum }: { filter: object; sum: string },
): Promise<number> {
  const [found] = await db
    .collection(path)
    .aggregate<{ sum: number }>([{ $match: filter }, { $group: { _id: null, sum: { $sum: sum } } }], at)
    .toArray();
  return found?.sum ?? 0;
}
