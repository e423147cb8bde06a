import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { periods } from '#base/calendar/periods';
import { groupBy, pushTo } from '#base/common/lists/groupBy';
import { collectionOf } from '#base/db/collections';
import type { SnapshotOptions } from '#base/db/inSnapshot';
import { eachYielding } from '#base/db/readYielding';
import { tierHistoryResource } from '#members/tiers/tierHistory';
import { type Aggregate, aggregateCollection } from '#records/aggregates/aggregate';
import {
  type MemberDay,
  type MetricEntry,
  metricEntries,
  metricEventsResource,
} from '#records/aggregates/metricEvents';
import { type ArchivedPurse, type ArchiveOpening, archiveOpeningResource } from '#records/archives/archiveOpening';
import { readArchivedAmong } from '#records/archives/findArchived';
import { type Member, memberResource } from '#records/members/member';
import { type IssuedReward, issuedRewardResource } from '#records/offers/issuedReward';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';
import type { JournalEntry } from '#records/points/journalEntry';
import type { Lot } from '#records/points/lot';
import { programResource } from '#records/programs/program';
import { type TierPolicy, tierPolicyResource } from '#records/programs/tierPolicy';
import { type HistoryFigures, readHistories } from './historyFigures';
import { type MemberOpening, sumOpenings } from './memberOpening';
import type { ReconciledOrg } from './reconciledOrg';

/** A change of a tier: from which level to which. */
interface ChangedLevel {
  _id: ObjectId;
  at: Date;
  policyId: ObjectId;
  from?: { number: number };
  to?: { number: number };
}

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
  aggregates: ReadonlyMap<string, readonly Aggregate[]>;
  /** Changes of metrics that are not rolled up. */
  pending: readonly MetricEntry[];
  levelChanges: readonly ChangedLevel[];
  issued: readonly IssuedReward[];
  tierPolicies: readonly TierPolicy[];
  timezone: string;
  deletedBefore: Date | undefined;
  now: Date;
}

/** The fields of members that checks compare; names and ids of persons are not among them. */
const memberFields =
  'program status purses tiers aggregates mergeIds mergedInto version seq ladders keptSums nextDue aggregatesEndAt ' +
  'processedAccruals';

/** Stamps, fields of free form and names: no check compares them. */
const fieldsLeftOut =
  'org createdAt updatedAt createdBy updatedBy ext rule ruleVersion offer reward program purseName dtEarned ' +
  'forgivenPoints joinedOn inactivityUntil name code codeKey';

const leftOut = fieldProjection(fieldsLeftOut, 0);

function fieldProjection(fields: string, value: 0 | 1): Record<string, 0 | 1> {
  return Object.fromEntries(fields.split(' ').map((field) => [field, value]));
}

/** Most members that are read together, and most journal entries of them. A member with more is read alone. */
const pageLimits = { membersMax: 500, entriesMax: 4000 } as const;

/** Members of an org, by the ids of the first and the last of them. */
export interface MemberRange {
  from: ObjectId;
  to: ObjectId;
}

/** All members of an org, in ranges that are read together, in order of id. */
export async function* memberRanges({ db, org }: ReconciledOrg): AsyncGenerator<MemberRange, void, undefined> {
  const found = collectionOf(db, memberResource)
    .find({ org })
    .sort({ _id: 1 })
    .project<Pick<Member, '_id' | 'seq'>>({ seq: 1 });
  let range: MemberRange | undefined;
  let [members, entries] = [0, 0];
  for await (const { _id, seq } of eachYielding(found)) {
    if (range && (members === pageLimits.membersMax || entries + seq > pageLimits.entriesMax)) {
      yield range;
      range = undefined;
      [members, entries] = [0, 0];
    }
    range = { from: range?.from ?? _id, to: _id };
    members += 1;
    entries += seq;
  }
  if (range) yield range;
}

/** Reads a range of members of an org in order of id, with all of their records, in one snapshot. */
export async function readMemberRecords(
  reconciled: ReconciledOrg,
  at: SnapshotOptions,
  range: MemberRange,
): Promise<MemberRecords[]> {
  const { db, org, clock, deletedBefore, archived } = reconciled;
  const members = await readMembers(db, at, org, range);
  if (members.length === 0) return [];
  const ids = members.flatMap(idsOf);
  const lots = byMember(await rowsOf<Lot>(db, at, accrualItemResource.path, { org, member: { $in: ids } }));
  const entries = byMember(await rowsOf<JournalEntry>(db, at, journalResource.path, { org, member: { $in: ids } }));
  for (const own of entries.values()) own.sort((a, b) => a.seq - b.seq);
  const aggregates = await readAggregates(db, at, org, ids);
  const pending = groupBy(await readPending(db, at, org, ids), ({ member }) => member.toHexString());
  const levels = byMember(await rowsOf<LevelRow>(db, at, tierHistoryResource.path, { org, member: { $in: ids } }));
  const issued = byMember(await rowsOf<IssuedReward>(db, at, issuedRewardResource.path, { org, member: { $in: ids } }));
  const named = [...[...entries.values()].flat(), ...[...issued.values()].flat()].flatMap(
    ({ activity }) => activity ?? [],
  );
  const usedBy = [...issued.values()].flat().flatMap((reward) => reward.usedBy ?? []);
  const histories = await readHistories(db, at, org, { members: ids, named: [...named, ...usedBy] });
  // Those that were archived since the run began.
  const missing = [...named, ...usedBy].filter((id) => {
    const hex = id.toHexString();
    return !histories.byId.has(hex) && !archived.has(hex);
  });
  const later = await readArchivedAmong(db, at, org, missing);
  const openings = byMember(
    await rowsOf<ArchiveOpening>(db, at, archiveOpeningResource.path, { org, member: { $in: ids } }),
  );
  const tiersOf = await readTierPolicies(db, at, org);
  // Read after the snapshot, so that `now` is not before the times that a timer wrote into it.
  const now = clock.now();
  return members.map((member) => {
    const own = idsOf(member);
    const all = <T>(rows: ReadonlyMap<string, T[]>) => own.flatMap((id) => rows.get(id.toHexString()) ?? []);
    return {
      member,
      ids: new Set(own.map((id) => id.toHexString())),
      // From the merge on, all lots count as the survivor's, although a follow-up moves spent lots later.
      lots: member.mergedInto ? [] : all(lots),
      entries: entries.get(member._id.toHexString()) ?? [],
      inherited: (member.mergeIds ?? []).map((id) => entries.get(id.toHexString()) ?? []),
      histories: histories.of(own),
      historyById: histories.byId,
      isArchived: (id) => archived.has(id) || later.has(id),
      opening: sumOpenings(all(openings)),
      archived: (openings.get(member._id.toHexString()) ?? []).flatMap(({ purses = [] }) => purses),
      archivedLots: member.mergedInto ? [] : all(openings).flatMap(({ purses = [] }) => purses),
      aggregates: new Map(periods.map(({ name }) => [name, all(aggregates.get(name) ?? new Map())])),
      pending: all(pending),
      levelChanges: levels.get(member._id.toHexString()) ?? [],
      issued: all(issued),
      ...tiersOf(member),
      deletedBefore,
      now,
    };
  });
}

type LevelRow = ChangedLevel & { member: ObjectId };

function idsOf({ _id, mergeIds = [] }: Member): ObjectId[] {
  return [_id, ...mergeIds];
}

function readMembers(db: Connection, at: SnapshotOptions, org: ObjectId, { from, to }: MemberRange): Promise<Member[]> {
  return collectionOf(db, memberResource)
    .find({ org, _id: { $gte: from, $lte: to } }, at)
    .project<Member>(fieldProjection(memberFields, 1))
    .sort({ _id: 1 })
    .toArray();
}

function rowsOf<T>(db: Connection, at: SnapshotOptions, path: string, filter: object): Promise<T[]> {
  return db
    .collection(path)
    .find(filter, { ...at, projection: leftOut })
    .toArray() as unknown as Promise<T[]>;
}

function byMember<T extends { member: ObjectId }>(rows: readonly T[]): Map<string, T[]> {
  return groupBy(rows, ({ member }) => member.toHexString());
}

/** The aggregates of members by the name of their period, then by hexadecimal member id. */
async function readAggregates(db: Connection, at: SnapshotOptions, org: ObjectId, members: readonly ObjectId[]) {
  const found = new Map<string, Map<string, Aggregate[]>>();
  for (const period of periods) {
    const rows = await aggregateCollection(db, period)
      .find(
        { org, memberId: { $in: [...members] } },
        { ...at, projection: { ...leftOut, mergeIds: 0, lastAggDate: 0 } },
      )
      .toArray();
    const byOwner = new Map<string, Aggregate[]>();
    for (const row of rows) pushTo(byOwner, row.memberId.toHexString(), row);
    found.set(period.name, byOwner);
  }
  return found;
}

async function readPending(db: Connection, at: SnapshotOptions, org: ObjectId, members: readonly ObjectId[]) {
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
  return metricEntries(days);
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
