import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { periodNamed } from '#base/calendar/periods';
import { collectionOf } from '#base/db/collections';
import { type Author, newStamps, updateStamps } from '#base/db/records';
import { GuardFailed, inTransaction } from '#base/db/transaction';
import { firstEnd } from '#engine/sums/lifetime';
import { aggregateCollection } from '#records/aggregates/aggregate';
import { type Member, memberResource } from '#records/members/member';
import { type DrainedPage, emptyDrain } from './drainPages';

/** Number of members in one transaction. */
const membersMax = 50;

type MemberRow = Pick<Member, '_id' | 'version' | 'aggregates' | 'mergeIds'>;

/**
 * Moves ended lifetime aggregates, whose `expirationDate` has passed, from a page of members into their collection, in
 * one transaction that is guarded by the versions of the members.
 */
export function moveEnded(db: Connection, author: Author, now: Date): Promise<DrainedPage> {
  return inTransaction(db, async (session) => {
    const holders = await readMembersWithEnded(db, session, author.org, now);
    if (holders.length === 0) return emptyDrain;
    await takeOut(db, session, author, holders, now);
    await storeEnded(db, session, author, holders, now);
    return { size: holders.length };
  });
}

function readMembersWithEnded(db: Connection, session: ClientSession, org: ObjectId, now: Date): Promise<MemberRow[]> {
  return collectionOf(db, memberResource)
    .find<MemberRow>({ org, aggregatesEndAt: { $lte: now } }, { session })
    .project<MemberRow>({ version: 1, aggregates: 1, mergeIds: 1 })
    .limit(membersMax)
    .toArray();
}

async function takeOut(db: Connection, session: ClientSession, author: Author, holders: MemberRow[], now: Date) {
  const writes = holders.map(({ _id, version, aggregates }) => {
    const left = aggregates.filter((aggregate) => !isEnded(now)(aggregate));
    const aggregatesEndAt = firstEnd(left);
    return {
      updateOne: {
        filter: { _id, org: author.org, version },
        update: {
          $set: { ...updateStamps(author, now), aggregates: left, ...(aggregatesEndAt ? { aggregatesEndAt } : {}) },
          ...(aggregatesEndAt ? {} : { $unset: { aggregatesEndAt: '' as const } }),
          $inc: { version: 1 },
        },
      },
    };
  });
  const { matchedCount } = await collectionOf(db, memberResource).bulkWrite(writes, { session, ordered: false });
  if (matchedCount !== holders.length) throw new GuardFailed('A member changed meanwhile');
}

/**
 * Uses upserts, because a late activity may add to an aggregate that was moved before. The two values are then added
 * up.
 */
async function storeEnded(db: Connection, session: ClientSession, author: Author, holders: MemberRow[], now: Date) {
  const { _id: _made, org, ...stamps } = newStamps(author, now);
  const writes = holders.flatMap(({ _id: memberId, aggregates, mergeIds = [] }) =>
    aggregates.filter(isEnded(now)).map(({ _id, metricAggValue, lastAggDate, ...aggregate }) => ({
      updateOne: {
        filter: { _id, org, memberId },
        update: {
          $inc: { metricAggValue },
          $max: { lastAggDate },
          $setOnInsert: { ...stamps, ...aggregate, mergeIds },
        },
        upsert: true,
      },
    })),
  );
  // There are no writes when the aggregates were moved before and only the date was left.
  if (writes.length > 0)
    await aggregateCollection(db, periodNamed('lifetime')).bulkWrite(writes, { session, ordered: true });
}

function isEnded(now: Date): (aggregate: Member['aggregates'][number]) => boolean {
  return ({ expirationDate }) => expirationDate !== undefined && expirationDate <= now;
}
