import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { memberResource } from '../members/member';
import { accrualItemResource } from './accrualItem';
import { journalResource } from './journal';

/** Rows of the ledger that no page of members can show: their member does not exist in their org. */
export interface Orphans {
  collection: string;
  member: ObjectId;
  rows: number;
}

/**
 * Finds lots and journal entries of members that do not exist. A member is stored before its first lot and never
 * deleted, so commits that go on meanwhile raise no false alarm.
 */
export async function* findOrphans(db: Connection, org?: ObjectId): AsyncGenerator<Orphans> {
  for (const { path } of [accrualItemResource, journalResource]) {
    const groups = db
      .collection(path)
      .aggregate<{ _id: { member: ObjectId }; rows: number }>(
        [
          ...(org ? [{ $match: { org } }] : []),
          { $group: { _id: { org: '$org', member: '$member' }, rows: { $sum: 1 } } },
          { $lookup: { from: memberResource.path, localField: '_id.member', foreignField: '_id', as: 'owners' } },
          { $match: { $expr: { $not: [{ $in: ['$_id.org', '$owners.org'] }] } } },
          { $project: { rows: 1 } },
        ],
        { allowDiskUse: true },
      );
    for await (const { _id, rows } of groups) yield { collection: path, member: _id.member, rows };
  }
}
