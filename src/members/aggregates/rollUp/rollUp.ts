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
 * The two parts of a roll-up. `days` adds commits to the daily aggregates and moves ended lifetime aggregates;
 * `periods` adds days to the larger periods.
 */
export type RollUpPart = 'days' | 'periods';

/** What a roll-up is for: one org, or all; and one part, or both. */
interface RollUpScope {
  org?: ObjectId;
  now: Date;
  part?: RollUpPart;
}

/**
 * Rolls up until nothing is left. Several runs may work at once and may be killed: each page is one transaction, and
 * the next run continues with the rest.
 */
export async function rollUp({ db }: { db: Connection }, { org, now, part }: RollUpScope): Promise<RollUpCounts> {
  const orgs = await collectionOf(db, orgResource)
    .find(org ? { _id: org } : {})
    .toArray();
  const total: RollUpCounts = { events: 0, days: 0, members: 0 };
  for (const { _id, systemUser } of orgs) {
    const author = { org: _id, userId: systemUser };
    const counts = await rollUpOrg(db, author, now, part);
    total.events += counts.events;
    total.days += counts.days;
    total.members += counts.members;
  }
  return total;
}

async function rollUpOrg(db: Connection, author: Author, now: Date, part?: RollUpPart): Promise<RollUpCounts> {
  const [hasDays, hasPeriods] = [part !== 'periods', part !== 'days'];
  if (hasDays) await drainPages(() => startCount(db, author, now));
  await fillPeriods(db, author.org, now);
  return {
    events: hasDays ? await drainPages((from) => rollUpDays(db, author, now, from)) : 0,
    days: hasPeriods ? await drainPages((from) => rollUpPeriods(db, author, now, from && { $gte: from })) : 0,
    members: hasDays ? await drainPages(() => moveEnded(db, author, now)) : 0,
  };
}
