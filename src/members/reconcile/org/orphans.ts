import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { periods } from '#base/calendar/periods';
import { collectionOf } from '#base/db/collections';
import { eachYielding } from '#base/db/readYielding';
import { tierHistoryResource } from '#members/tiers/tierHistory';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { memberResource } from '#records/members/member';
import { issuedRewardResource } from '#records/offers/issuedReward';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';
import type { OrgCheck } from '../reconciledOrg';
import { inChunks } from './inChunks';

/** Collections of records of members, and their field that names the member. */
const ofMembers: readonly { path: string; field: string }[] = [
  ...[accrualItemResource, journalResource, tierHistoryResource, issuedRewardResource].map(({ path }) => ({
    path,
    field: 'member',
  })),
  { path: activityHistoryResource.path, field: 'memberID' },
  ...periods.map(({ path }) => ({ path, field: 'memberId' })),
];

/**
 * Finds records whose member does not exist in their org; checks by member cannot find them. A member is stored before
 * its first record and never deleted, so commits at the same time cause no false mismatch.
 */
export const orphans: OrgCheck = async function* ({ db, org }) {
  for (const { path, field } of ofMembers) {
    for await (const ids of inChunks(namedMembers(db, org, path, field), 1000)) {
      const found = await collectionOf(db, memberResource)
        .find({ org, _id: { $in: ids } })
        .project<{ _id: ObjectId }>({ _id: 1 })
        .toArray();
      const known = new Set(found.map(({ _id }) => _id.toHexString()));
      for (const member of ids.filter((id) => !known.has(id.toHexString()))) {
        const rows = await db.collection(path).countDocuments({ org, [field]: member });
        if (rows > 0) yield { member, message: `Member ${member} does not exist, but has ${rows} rows in ${path}` };
      }
    }
  }
};

/** The members that records name, each once. MongoDB skips from one to the next in an index. */
async function* namedMembers(db: Connection, org: ObjectId, path: string, field: string): AsyncGenerator<ObjectId> {
  const groups = db
    .collection(path)
    .aggregate<{ _id: ObjectId }>([
      { $match: { org } },
      { $sort: { org: 1, [field]: 1 } },
      { $group: { _id: `$${field}` } },
    ]);
  for await (const { _id } of eachYielding(groups)) yield _id;
}
