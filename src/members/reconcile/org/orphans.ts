import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { periods } from '#base/calendar/periods';
import { collectionOf } from '#base/db/collections';
import { eachYielding } from '#base/db/readYielding';
import { lowestId } from '#base/db/records';
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

/** Number of members between which strangers are looked for together. */
const stretchSize = 1000;

/** A stretch of ids: after one, up to another, with the members in between. The first and the last one have no end. */
interface Stretch {
  after: ObjectId | undefined;
  to: ObjectId | undefined;
  members: readonly ObjectId[];
}

/**
 * Finds records whose member does not exist in their org; checks by member cannot find them. A member is stored before
 * its first record and never deleted, so commits at the same time cause no false mismatch.
 */
export const orphans: OrgCheck = async function* ({ db, org }) {
  for await (const stretch of stretches(db, org)) {
    for (const { path, field } of ofMembers) {
      for await (const member of strangers(db, org, stretch, { path, field })) {
        const rows = await db.collection(path).countDocuments({ org, [field]: member });
        if (rows > 0) yield { member, message: `Member ${member} does not exist, but has ${rows} rows in ${path}` };
      }
    }
  }
};

/** All ids, in stretches of members. */
async function* stretches(db: Connection, org: ObjectId): AsyncGenerator<Stretch> {
  const found = collectionOf(db, memberResource).find({ org }).sort({ _id: 1 }).project<{ _id: ObjectId }>({ _id: 1 });
  let after: ObjectId | undefined;
  for await (const some of inChunks(eachYielding(found), stretchSize)) {
    const members = some.map(({ _id }) => _id);
    const to = members.at(-1);
    yield { after, to, members };
    after = to;
  }
  yield { after, to: undefined, members: [] };
}

/** The ids of a stretch that records name and no member has. MongoDB looks only between the members in an index. */
async function* strangers(
  db: Connection,
  org: ObjectId,
  { after, to, members }: Stretch,
  { path, field }: { path: string; field: string },
): AsyncGenerator<ObjectId> {
  for (let last = after; ; ) {
    const between = { ...(last ? { $gt: last } : { $gte: lowestId }), ...(to && { $lte: to }), $nin: [...members] };
    const found = await db
      .collection(path)
      .find({ org, [field]: between })
      .sort({ org: 1, [field]: 1 })
      .limit(1)
      .project<Record<string, ObjectId>>({ _id: 0, [field]: 1 })
      .toArray();
    last = found[0]?.[field];
    if (!last) return;
    // One that has come since the stretch was read is there now.
    if (!(await collectionOf(db, memberResource).findOne({ _id: last, org }))) yield last;
  }
}
