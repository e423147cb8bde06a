import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { memberResource } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';
import type { Mismatch } from './checkInvariants';

/**
 * Finds lots and journal entries whose member does not exist in their org; checks by member cannot find them. A member
 * is stored before its first lot and never deleted, so commits at the same time cause no false mismatch.
 */
export async function* findOrphans(db: Connection, org?: ObjectId): AsyncGenerator<Mismatch> {
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
    for await (const { _id, rows } of groups) {
      yield { member: _id.member, message: `Member ${_id.member} does not exist, but has ${rows} rows in ${path}` };
    }
  }
}
