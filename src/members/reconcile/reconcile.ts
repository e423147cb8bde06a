import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Clock } from '#base/common/clock';
import { groupBy } from '#base/common/lists/groupBy';
import { collectionOf } from '#base/db/collections';
import { inSnapshot, type SnapshotOptions } from '#base/db/inSnapshot';
import { tierFaults } from '#engine/tiers/tierFaults';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { readCount } from '#records/aggregates/countAll';
import { countedPaths } from '#records/aggregates/recordCount';
import { type Member, memberResource } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';
import type { JournalEntry } from '#records/points/journalEntry';
import { programResource } from '#records/programs/program';
import { tierPolicyResource } from '#records/programs/tierPolicy';
import { orgResource } from '#records/users/org';
import { checkInvariants, type MemberLedger, type Mismatch } from './checkInvariants';

/** The number of members that are read and checked together. */
const pageSize = 100;

type ReconcileServices = Pick<Infrastructure, 'db' | 'clock'>;

/** The scope of a reconciliation and its callbacks. */
export interface ReconcileOptions {
  /** Checks only this org; default: all orgs. */
  org?: ObjectId;
  /** The clock of an org; default: that of the services, for all. */
  clockOf?(org: ObjectId): Promise<Clock>;
  onMismatch?(mismatch: Mismatch): void;
  /** Called after each page with the number of members checked so far. */
  onProgress?(members: number): void;
}

/** The number of members checked and of mismatches found. */
export interface Reconciliation {
  members: number;
  mismatches: number;
}

/**
 * Checks the ledger of every member with `checkInvariants`, then orphans and record counts. It reads one page of
 * members at a time. Each page is read in one snapshot, so commits at the same time cause no false mismatch.
 */
export async function reconcile(services: ReconcileServices, options: ReconcileOptions = {}): Promise<Reconciliation> {
  const { db } = services;
  const counts = { members: 0, mismatches: 0 };
  const report = (mismatch: Mismatch) => {
    counts.mismatches += 1;
    options.onMismatch?.(mismatch);
  };
  const orgs = options.org ? [options.org] : await collectionOf(db, memberResource).distinct('org');
  for (const org of orgs) {
    const clock = (await options.clockOf?.(org)) ?? services.clock;
    for await (const page of ledgerPages({ db, clock }, org)) {
      for (const ledger of page) checkInvariants(ledger).forEach(report);
      counts.members += page.length;
      options.onProgress?.(counts.members);
    }
  }
  for await (const orphan of findOrphans(db, options.org)) report(orphan);
  for await (const miscount of findMiscounts(db, options.org)) report(miscount);
  return counts;
}

async function* ledgerPages(services: ReconcileServices, org: ObjectId): AsyncGenerator<MemberLedger[]> {
  let last: ObjectId | undefined;
  do {
    const page = await inSnapshot(services.db, (at) => readPage(services, at, org, last));
    if (page.length > 0) yield page;
    last = page.length < pageSize ? undefined : page.at(-1)?.member._id;
  } while (last);
}

/** Reads the ledgers of the next members of an org, in order of id, in one snapshot. */
async function readPage(
  { db, clock }: ReconcileServices,
  at: SnapshotOptions,
  org: ObjectId,
  after?: ObjectId,
): Promise<MemberLedger[]> {
  const members = await collectionOf(db, memberResource)
    .find({ org, ...(after ? { _id: { $gt: after } } : {}) }, at)
    .sort({ _id: 1 })
    .limit(pageSize)
    .toArray();
  const ofPage = { org, member: { $in: members.flatMap(({ _id, mergeIds = [] }) => [_id, ...mergeIds]) } };
  const lots = byMember(await collectionOf(db, accrualItemResource).find(ofPage, at).toArray());
  const entries = byMember(await collectionOf(db, journalResource).find(ofPage, at).sort({ seq: 1 }).toArray());
  const tiersOf = await readTierPolicies(db, at, org);
  // Read after the snapshot, so that `now` is not before the times that a timer wrote into it.
  const now = clock.now();
  const of = <T>(rows: ReadonlyMap<string, T[]>, id: ObjectId) => rows.get(id.toHexString()) ?? [];
  return members.map((member) => ({
    member,
    purses: member.purses,
    // From the merge on, all lots count as the survivor's, although a follow-up moves spent lots later.
    lots: member.mergedInto ? [] : [member._id, ...(member.mergeIds ?? [])].flatMap((id) => of(lots, id)),
    entries: of(entries, member._id),
    tierFaults: tierFaults({ member, ...tiersOf(member), lookedAt: lookedAt(of(entries, member._id)), now }),
    inherited: (member.mergeIds ?? []).map((id) => of(entries, id)),
  }));
}

/** Reads the tier policies and the time zones of an org's programs. */
async function readTierPolicies(db: Connection, at: SnapshotOptions, org: ObjectId) {
  const policies = await collectionOf(db, tierPolicyResource).find({ org }, at).toArray();
  const programs = policies.length > 0 ? await collectionOf(db, programResource).find({ org }, at).toArray() : [];
  return ({ program }: Pick<Member, 'program'>) => ({
    policies: policies.filter((policy) => policy.program.equals(program)),
    timezone: programs.find(({ _id }) => _id.equals(program))?.timezone ?? 'UTC',
  });
}

/** When an activity last settled the tiers. The commit of an activity that awards or burns points settles them too. */
function lookedAt(entries: readonly JournalEntry[]): Date | undefined {
  return entries.findLast(({ kind, activity }) => activity && (kind === 'accrue' || kind === 'burn'))?.at;
}

function byMember<T extends { member: ObjectId }>(rows: readonly T[]): Map<string, T[]> {
  return groupBy(rows, ({ member }) => member.toHexString());
}

/** Finds record counts that differ from the number of records. Both are read in one snapshot. */
async function* findMiscounts(db: Connection, org?: ObjectId): AsyncGenerator<Mismatch> {
  const orgs = org ? [org] : await collectionOf(db, orgResource).distinct('_id');
  for (const each of orgs) {
    for (const path of countedPaths) {
      const [kept, found] = await inSnapshot(db, async (at) => {
        const count = await readCount(db, at, each, path);
        return count === undefined ? [] : [count, await db.collection(path).countDocuments({ org: each }, at)];
      });
      if (kept === found) continue;
      const remedy = 'delete its documents in recordcounts, and it is counted anew';
      yield { message: `Org ${each} has ${found} records in ${path}, but ${kept} are counted; ${remedy}` };
    }
  }
}

/**
 * Finds lots and journal entries whose member does not exist in their org; checks by member cannot find them. A member
 * is stored before its first lot and never deleted, so commits at the same time cause no false mismatch.
 */
async function* findOrphans(db: Connection, org?: ObjectId): AsyncGenerator<Mismatch> {
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
