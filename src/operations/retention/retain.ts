import type { ObjectId } from 'bson';
import { dayMs } from '#base/common/durations';
import { notFound } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import { pruneAudit } from '#platform/audit/pruneAudit';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { orgResource } from '#records/users/org';
import { deleteHistories } from './deleteHistories';

/**
 * Deletes what an org has kept longer than the settings say: histories (`RETAIN_HISTORIES`) and entries of the audit log
 * (`RETAIN_AUDIT`). MongoDB deletes keys and runs of jobs itself.
 * @returns how many of each were deleted
 */
export async function retain(
  { db, config }: Pick<Infrastructure, 'db' | 'config'>,
  { org, now }: { org: ObjectId; now: Date },
): Promise<{ histories: number; auditEntries: number }> {
  const { RETAIN_HISTORIES, RETAIN_AUDIT } = config;
  const owner = await collectionOf(db, orgResource).findOne({ _id: org });
  if (!owner) throw notFound('Org');
  const author = { org, userId: owner.systemUser };
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  return {
    histories: RETAIN_HISTORIES === 0 ? 0 : await deleteHistories(db, author, before(RETAIN_HISTORIES), now),
    auditEntries: RETAIN_AUDIT === 0 ? 0 : await pruneAudit(db, author, before(RETAIN_AUDIT), now),
  };
}
