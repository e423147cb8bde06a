import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { inTransaction, withRetries } from '#base/db/transaction';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { auditResource } from '#records/users/auditEntry';
import { audit } from './audit';
import type { Auditor } from './auditor';
import { pruneAction } from './verifyAudit';

/** Entries that one transaction deletes. */
const pageSize = 5000;

/**
 * Deletes the entries of an org that are older than an instant, from the beginning of the log. In the same transaction
 * it appends an entry with the hash of the last deleted one, with which the rest of the log is checked.
 * @returns how many were deleted
 */
export async function pruneAudit(db: Connection, author: Auditor, before: Date, now: Date): Promise<number> {
  const { org } = author;
  for (let deleted = 0; ; ) {
    const prune = (session: ClientSession) => prunePage(db, session, author, before, now);
    const count = await serializedPerOrg(db, org, () => withRetries(() => inTransaction(db, prune), {}));
    deleted += count;
    if (count < pageSize) return deleted;
  }
}

async function prunePage(db: Connection, session: ClientSession, author: Auditor, before: Date, now: Date) {
  const log = collectionOf(db, auditResource);
  const { org } = author;
  const firstKept = await log.findOne(
    { org, at: { $gte: before } },
    { session, sort: { seq: 1 }, projection: { seq: 1 }, hint: { org: 1, seq: 1 } },
  );
  const [oldest] = await log
    .find({ org }, { session, projection: { seq: 1 } })
    .sort({ seq: 1 })
    .limit(1)
    .toArray();
  const last = await lastToDelete(
    db,
    session,
    org,
    Math.min(firstKept?.seq ?? Infinity, (oldest?.seq ?? 0) + pageSize),
  );
  // An entry of the pruning itself is not a reason to prune again.
  if (!last) return 0;
  const { deletedCount } = await log.deleteMany({ org, seq: { $lte: last.seq } }, { session });
  const { seq, hash } = last;
  const change = { action: pruneAction, resource: auditResource.path, id: String(seq), after: { seq, hash, before } };
  await audit(db, session, author, now, [change]);
  return deletedCount;
}

function lastToDelete(db: Connection, session: ClientSession, org: ObjectId, below: number) {
  return collectionOf(db, auditResource).findOne(
    { org, seq: { $lt: below } },
    { session, sort: { seq: -1 }, projection: { seq: 1, hash: 1 } },
  );
}
