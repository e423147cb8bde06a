import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { type Period, periods } from '#base/calendar/periods';
import { collectionOf } from '#base/db/collections';
import type { SnapshotOptions } from '#base/db/inSnapshot';
import type { Aggregate } from '#records/aggregates/aggregate';
import type { MetricEntry } from '#records/aggregates/metricEvents';
import type { ArchivedPurse } from '#records/archives/archiveOpening';
import { readArchivedAmong } from '#records/archives/findArchived';
import type { Member } from '#records/members/member';
import type { IssuedReward } from '#records/offers/issuedReward';
import type { JournalEntry } from '#records/points/journalEntry';
import type { Lot } from '#records/points/lot';
import { programResource } from '#records/programs/program';
import { type TierPolicy, tierPolicyResource } from '#records/programs/tierPolicy';
import { type HistoryFigures, type NamedActivities, readHistories } from './historyFigures';
import { type MemberOpening, sumOpenings } from './memberOpening';
import type { MemberRange } from './memberRanges';
import {
  type ChangedLevel,
  type RowsByMember,
  readAggregates,
  readIssuedRewards,
  readJournals,
  readLevelChanges,
  readLots,
  readMembers,
  readOpenings,
  readPending,
} from './memberRows';
import type { ReconciledOrg } from './reconciledOrg';
import { repeatedKey } from './repeatedKey';

/** All that is stored of a member and of those merged into it, as its checks compare it. */
export interface MemberRecords {
  member: Member;
  /** The hexadecimal ids of the member and of those merged into it. */
  ids: ReadonlySet<string>;
  lots: readonly Lot[];
  /** The member's own journal. A merge does not move entries. */
  entries: readonly JournalEntry[];
  /** The journals of the merged members. */
  inherited: readonly (readonly JournalEntry[])[];
  /** The histories of these members, then those of others that changed a metric or the points of one of them. */
  histories: readonly HistoryFigures[];
  /** These and all others that the journals and issued rewards of these members name, by hexadecimal id. */
  historyById: ReadonlyMap<string, HistoryFigures>;
  /** Whether an activity is in the archive, by hexadecimal id. */
  isArchived(id: string): boolean;
  /** What the archived activities of these members add up to. */
  opening: MemberOpening;
  /** What was archived of the member's own journal, by purse. */
  archived: readonly ArchivedPurse[];
  /** What the archived lots of these members add up to, by purse. From a merge on, they count as the survivor's. */
  archivedLots: readonly ArchivedPurse[];
  /** Aggregates by the name of their period. */
  aggregates: ReadonlyMap<Period['name'], readonly Aggregate[]>;
  /** Changes of metrics that are not rolled up. */
  pending: readonly MetricEntry[];
  levelChanges: readonly ChangedLevel[];
  issued: readonly IssuedReward[];
  tierPolicies: readonly TierPolicy[];
  timezone: string;
  deletedBefore: Date | undefined;
  now: Date;
}

/** Reads a range of members of an org in order of id, with all of their records, in one snapshot. */
export async function readMemberRecords(
  reconciled: ReconciledOrg,
  at: SnapshotOptions,
  range: MemberRange,
): Promise<MemberRecords[]> {
  const { db, org, clock, deletedBefore, archived } = reconciled;
  const members = await readMembers({ db, at, org }, range);
  if (members.length === 0) return [];
  const of = { db, at, org, members: members.flatMap(idsOf) };
  const lots = await readLots(of);
  const entries = await readJournals(of);
  const aggregates = await readAggregates(of);
  const pending = await readPending(of);
  const levelChanges = await readLevelChanges(of);
  const issued = await readIssuedRewards(of);
  const named = namedActivities(entries, issued);
  const histories = await readHistories(of, named);
  // Those that were archived since the run began.
  const missing = [...named].flatMap(([key, id]) => (histories.byId.has(key) || archived.has(key) ? [] : [id]));
  const later = await readArchivedAmong(db, at, org, missing);
  const openings = await readOpenings(of);
  const tiersOf = await readTierPolicies(db, at, org);
  // Read after the snapshot, so that `now` is not before the times that a timer wrote into it.
  const now = clock.now();
  return members.map((member) => {
    const own = idsOf(member).map((id) => id.toHexString());
    const [self = '', ...merged] = own;
    const all = <T>(rows: RowsByMember<T>) => own.flatMap((key) => rows.get(key) ?? []);
    return {
      member,
      ids: new Set(own),
      // From the merge on, all lots count as the survivor's, although a follow-up moves spent lots later.
      lots: member.mergedInto ? [] : all(lots),
      entries: entries.get(self) ?? [],
      inherited: merged.map((key) => entries.get(key) ?? []),
      histories: histories.of(own),
      historyById: histories.byId,
      isArchived: (id) => archived.has(id) || later.has(id),
      opening: sumOpenings(all(openings)),
      archived: (openings.get(member._id.toHexString()) ?? []).flatMap(({ purses = [] }) => purses),
      archivedLots: member.mergedInto ? [] : all(openings).flatMap(({ purses = [] }) => purses),
      aggregates: new Map(periods.map(({ name }) => [name, all(aggregates.get(name) ?? new Map())])),
      pending: all(pending),
      levelChanges: levelChanges.get(self) ?? [],
      issued: all(issued),
      ...tiersOf(member),
      deletedBefore,
      now,
    };
  });
}

function idsOf({ _id, mergeIds = [] }: Member): ObjectId[] {
  return [_id, ...mergeIds];
}

/** The activities that journals and issued rewards name. */
function namedActivities(journals: RowsByMember<JournalEntry>, issued: RowsByMember<IssuedReward>): NamedActivities {
  const named = new Map<string, ObjectId>();
  const keyOf = repeatedKey();
  const add = (id: ObjectId | undefined) => id && named.set(keyOf(id), id);
  for (const entries of journals.values()) for (const { activity } of entries) add(activity);
  for (const { activity, usedBy } of [...issued.values()].flat()) for (const id of [activity, usedBy]) add(id);
  return named;
}

/** Reads the tier policies and the time zones of an org's programs. */
async function readTierPolicies(db: Connection, at: SnapshotOptions, org: ObjectId) {
  const policies = await collectionOf(db, tierPolicyResource).find({ org }, at).toArray();
  const programs = await collectionOf(db, programResource).find({ org }, at).toArray();
  return ({ program }: Pick<Member, 'program'>) => ({
    tierPolicies: policies.filter((policy) => policy.program.equals(program)),
    timezone: programs.find(({ _id }) => _id.equals(program))?.timezone ?? 'UTC',
  });
}
