import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Clock } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { type ActivityIds, loadArchivedIds } from '#records/archives/findArchived';
import { orgResource } from '#records/users/org';
import type { Mismatch } from './checkInvariants';

/** An org while it is reconciled. */
export interface ReconciledOrg {
  readonly db: Connection;
  readonly clock: Clock;
  readonly org: ObjectId;
  /** Retention may have deleted histories that were posted and dated before this instant; undefined: all are there. */
  readonly deletedBefore: Date | undefined;
  /** The activities that were in the archive when the run began. */
  readonly archived: ActivityIds;
}

/**
 * A check of the records of an org that belong to no single member, or whose members are found faster all at once. It
 * yields only differences that it has confirmed in one snapshot, so commits at the same time cause no false mismatch.
 */
export type OrgCheck = (reconciled: ReconciledOrg) => AsyncGenerator<Mismatch, void, undefined>;

/** Reads what the checks need to know of an org. */
export async function openReconciledOrg(db: Connection, clock: Clock, org: ObjectId): Promise<ReconciledOrg> {
  const found = await collectionOf(db, orgResource).findOne({ _id: org });
  const archived = await loadArchivedIds(db, org);
  return { db, clock, org, deletedBefore: found?.historiesDeletedBefore, archived };
}
