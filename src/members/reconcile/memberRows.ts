import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { type Period, periods } from '#base/calendar/periods';
import { groupBy } from '#base/common/lists/groupBy';
import { collectionOf } from '#base/db/collections';
import type { SnapshotOptions } from '#base/db/inSnapshot';
import { readReplies } from '#base/db/readReplies';
import { tierHistoryResource } from '#members/tiers/tierHistory';
import type { Aggregate } from '#records/aggregates/aggregate';
import {
  type MemberDay,
  type MetricEntry,
  metricEntries,
  metricEventsResource,
} from '#records/aggregates/metricEvents';
import { type ArchiveOpening, archiveOpeningResource } from '#records/archives/archiveOpening';
import { type Member, memberResource } from '#records/members/member';
import { type IssuedReward, issuedRewardResource } from '#records/offers/issuedReward';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';
import type { JournalEntry } from '#records/points/journalEntry';
import type { Lot } from '#records/points/lot';
import type { MemberRange } from './memberRanges';
import { repeatedKey } from './repeatedKey';

/** Whose records are read, and in which snapshot. */
export interface RowsOf {
  db: Connection;
  at: SnapshotOptions;
  org: ObjectId;
  members: readonly ObjectId[];
}

/** Records by the hexadecimal ids of their members. */
export type RowsByMember<T> = ReadonlyMap<string, T[]>;

/** A change of a tier: from which level to which. */
export interface ChangedLevel {
  _id: ObjectId;
  at: Date;
  policyId: ObjectId;
  from?: { number: number };
  to?: { number: number };
}

/** Reads a range of members of an org, in order of id, with the fields that checks compare. */
export function readMembers({ db, at, org }: Omit<RowsOf, 'members'>, { from, to }: MemberRange): Promise<Member[]> {
  return readReplies<Member>(db, at, memberResource.path, {
    filter: { org, _id: { $gte: from, $lte: to } },
    projection: named(
      'program status purses tiers aggregates mergeIds mergedInto version seq ladders keptSums nextDue ' +
        'aggregatesEndAt processedAccruals',
    ),
    sort: { _id: 1 },
  });
}

export function readLots(of: RowsOf): Promise<RowsByMember<Lot>> {
  return readRows<Lot>(of, {
    path: accrualItemResource.path,
    fields:
      'purse activity accruedPoints escrowedPoints availablePoints burnedPoints expiredPoints reversedPoints ' +
      'repaidPoints repaidAt repaidSeq chargedPoints forgivenPoints dtEscrowsOn dtExpiresOn expiresByInactivity ' +
      'hasEscrowed hasExpired hasBurned state',
  });
}

/** Reads journals, each in the order of its entries. */
export async function readJournals(of: RowsOf): Promise<RowsByMember<JournalEntry>> {
  const entries = await readRows<JournalEntry>(of, {
    path: journalResource.path,
    fields: 'purse seq kind available escrow debt points accrualItem activity at balanceAfter availAfter',
  });
  for (const own of entries.values()) own.sort((a, b) => a.seq - b.seq);
  return entries;
}

export function readLevelChanges(of: RowsOf): Promise<RowsByMember<ChangedLevel>> {
  return readRows<ChangedLevel>(of, { path: tierHistoryResource.path, fields: 'policyId from to at' });
}

export function readIssuedRewards(of: RowsOf): Promise<RowsByMember<IssuedReward>> {
  return readRows<IssuedReward>(of, { path: issuedRewardResource.path, fields: 'activity usedBy status' });
}

export function readOpenings(of: RowsOf): Promise<RowsByMember<ArchiveOpening>> {
  const fields = 'activities purchases metrics countedUpTo isUncounted units purses';
  return readRows<ArchiveOpening>(of, { path: archiveOpeningResource.path, fields });
}

/** Reads aggregates by the name of their period. */
export async function readAggregates(of: RowsOf): Promise<Map<Period['name'], RowsByMember<Aggregate>>> {
  const found = new Map<Period['name'], RowsByMember<Aggregate>>();
  for (const { name, path, key } of periods) {
    const fields = ['metricName metricAggValue propagatedValue dirty', ...key].join(' ');
    found.set(name, await readRows<Aggregate>(of, { path, owner: 'memberId', fields }));
  }
  return found;
}

/** Reads the changes of metrics that are not rolled up. */
export async function readPending({ db, at, org, members }: RowsOf): Promise<RowsByMember<MetricEntry>> {
  const isOwn = { $in: ['$$each.member', [...members]] };
  const days = await collectionOf(db, metricEventsResource)
    .aggregate<MemberDay>(
      [
        { $match: { org, 'entries.member': { $in: [...members] } } },
        { $project: { entries: { $filter: { input: '$entries', as: 'each', cond: isOwn } } } },
        { $unwind: '$entries' },
        { $replaceRoot: { newRoot: '$entries' } },
      ],
      at,
    )
    .toArray();
  return groupBy(metricEntries(days), ({ member }) => member.toHexString());
}

/**
 * Reads records with the fields that checks compare. They are named one by one: MongoDB takes twice as long to leave
 * the others out.
 */
async function readRows<T>(
  { db, at, org, members }: RowsOf,
  { path, fields, owner = 'member' }: { path: string; fields: string; owner?: 'member' | 'memberId' },
): Promise<Map<string, T[]>> {
  const rows = await readReplies<Record<typeof owner, ObjectId>>(db, at, path, {
    filter: { org, [owner]: { $in: [...members] } },
    projection: named(`${owner} ${fields}`),
  });
  const keyOf = repeatedKey();
  return groupBy(rows, (row) => keyOf(row[owner])) as Map<string, unknown[]> as Map<string, T[]>;
}

function named(fields: string): Record<string, 1> {
  return Object.fromEntries(fields.split(' ').map((field) => [field, 1]));
}
