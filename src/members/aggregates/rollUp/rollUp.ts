import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import type { Author } from '#base/db/records';
import { orgResource } from '#records/users/org';
import { drainPages } from './drainPages';
import { fillPeriods } from './fillPeriods';
import { moveEnded } from './moveEnded';
import { startCount } from './recordCounts';
import { rollUpDays } from './rollUpDays';
import { rollUpPeriods } from './rollUpPeriods';

/** The number of records that a roll-up processed. All are zero when nothing was due. */
export interface RollUpCounts {
  /** Metric events (one per commit) added to daily aggregates. */
  events: number;
  /** Daily aggregates whose change was added to larger periods. */
  days: number;
  /** Members whose ended lifetime aggregates were moved. */
  members: number;
}

/**
 * Rolls up all commits of one org, or of all orgs, until nothing is left. Several runs may work at once and may be
 * killed: each page is one transaction, and the next run continues with the rest.
 */
export async function rollUp(
  { db }: { db: Connection },
  { org, now }: { org?: ObjectId; now: Date },
): Promise<RollUpCounts> {
  const orgs = await collectionOf(db, orgResource)
    .find(org ? { _id: org } : {})
    .toArray();
  const total: RollUpCounts = { events: 0, days: 0, members: 0 };
  for (const { _id, systemUser } of orgs) {
    const author = { org: _id, userId: systemUser };
    const counts = await rollUpOrg(db, author, now);
    total.events += counts.events;
    total.days += counts.days;
    total.members += counts.members;
  }
  return total;
}

async function rollUpOrg(db: Connection, author: Author, now: Date): Promise<RollUpCounts> {
  await drainPages(() => startCount(db, author, now));
  await fillPeriods(db, author.org, now);
  return {
    events: await drainPages((from) => rollUpDays(db, author, now, from)),
    days: await drainPages((from) => rollUpPeriods(db, author, now, from)),
    members: await drainPages(() => moveEnded(db, author, now)),
  };
}
