import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Clock } from '#base/common/clock';
import { startYielding } from '#base/common/yielding';
import { collectionOf } from '#base/db/collections';
import { inSnapshot } from '#base/db/inSnapshot';
import { isUnreachable, withRetries } from '#base/db/transaction';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { memberResource } from '#records/members/member';
import { orgResource } from '#records/users/org';
import { type Mismatch, memberMismatch } from './checkInvariants';
import { memberFaults } from './memberChecks';
import { type MemberRange, memberRanges } from './memberRanges';
import { type MemberRecords, readMemberRecords } from './memberRecords';
import { orgChecks } from './orgChecks';
import { openReconciledOrg, type ReconciledOrg } from './reconciledOrg';

type ReconcileServices = Pick<Infrastructure, 'db' | 'clock'>;

/** The scope of a reconciliation and its callbacks. */
export interface ReconcileOptions {
  /** Checks only this org; default: all orgs. */
  org?: ObjectId;
  /** The clock of an org; default: that of the services, for all. */
  clockOf?(org: ObjectId): Promise<Clock>;
  onMismatch?(mismatch: Mismatch): void;
  /** Called with the number of members checked so far, and what is compared now. */
  onProgress?(members: number, now: string): void;
}

/** The number of members checked and of mismatches found. */
export interface Reconciliation {
  members: number;
  mismatches: number;
}

/**
 * Compares all that is stored: each member's records with each other by `memberChecks`, then those of the whole org by
 * `orgChecks`. It reads one page of members at a time, so it needs as much memory for few as for many. Each page is read
 * in one snapshot, and a member with a fault is read again, so commits at the same time cause no false mismatch.
 */
export async function reconcile(services: ReconcileServices, options: ReconcileOptions = {}): Promise<Reconciliation> {
  const { db } = services;
  const counts = { members: 0, mismatches: 0 };
  const report = (mismatch: Mismatch) => {
    counts.mismatches += 1;
    options.onMismatch?.(mismatch);
  };
  for (const org of options.org ? [options.org] : await allOrgs(db)) {
    const clock = (await options.clockOf?.(org)) ?? services.clock;
    await reconcileOrg(await openReconciledOrg(db, clock, org), { counts, report, options });
  }
  return counts;
}

interface Run {
  counts: Reconciliation;
  report(mismatch: Mismatch): void;
  options: ReconcileOptions;
}

/**
 * Compares members and the rest of an org at the same time: this process works most on the one, and MongoDB on the
 * other. When one of them fails, the other one is awaited.
 */
async function reconcileOrg(reconciled: ReconciledOrg, { counts, report, options }: Run): Promise<void> {
  const now = new Set<string>();
  const progress = () => options.onProgress?.(counts.members, [...now].join(', '));
  const compareMembers = async () => {
    now.add('members');
    for await (const page of memberPages(reconciled)) {
      for await (const mismatch of pageMismatches(reconciled, page)) report(mismatch);
      counts.members += page.length;
      progress();
    }
    now.delete('members');
  };
  const compareOrg = async () => {
    for (const { of, check } of orgChecks) {
      now.add(of);
      progress();
      for await (const mismatch of check(reconciled)) report(mismatch);
      now.delete(of);
    }
  };
  const ended = await Promise.allSettled([compareMembers(), compareOrg()]);
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}

/** The number of members that a reconciliation checks. */
export function countMembers(db: Connection, org?: ObjectId): Promise<number> {
  return collectionOf(db, memberResource).countDocuments(org ? { org } : {});
}

async function allOrgs(db: Connection): Promise<ObjectId[]> {
  const [orgs, ofMembers] = [
    await collectionOf(db, orgResource).distinct('_id'),
    await collectionOf(db, memberResource).distinct('org'),
  ];
  return [...new Map([...orgs, ...ofMembers].map((org) => [org.toHexString(), org])).values()];
}

/** How many pages are read while one is compared, so that this process and MongoDB work at the same time. */
const pagesAhead = 2;

async function* memberPages(reconciled: ReconciledOrg): AsyncGenerator<MemberRecords[]> {
  const reads: Promise<MemberRecords[]>[] = [];
  for await (const range of memberRanges(reconciled)) {
    const read = readPage(reconciled, range);
    // When an earlier read fails, nobody waits for this one.
    read.catch(() => undefined);
    reads.push(read);
    if (reads.length > pagesAhead) yield (await reads.shift()) ?? [];
  }
  for (const read of reads) yield await read;
}

/** Reads a page in a snapshot, and again when the connection to MongoDB breaks. */
function readPage(reconciled: ReconciledOrg, range: MemberRange): Promise<MemberRecords[]> {
  return withRetries(() => inSnapshot(reconciled.db, (at) => readMemberRecords(reconciled, at, range)), {
    isWorthRetrying: isUnreachable,
  });
}

/** The mismatches of a page. A member with faults is read again, and has those that this read finds. */
async function* pageMismatches(reconciled: ReconciledOrg, page: readonly MemberRecords[]): AsyncGenerator<Mismatch> {
  const turn = startYielding();
  for (const records of page) {
    await turn();
    if (memberFaults(records).length === 0) continue;
    for (const again of await readPage(reconciled, { from: records.member._id, to: records.member._id }))
      for (const fault of memberFaults(again)) yield memberMismatch(again.member._id, fault);
  }
}
