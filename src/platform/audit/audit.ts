import assert from 'node:assert';
import { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf, insertAll } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { GuardFailed } from '#base/db/transaction';
import { type AuditEntry, type AuditHead, auditResource } from '#records/users/auditEntry';
import { orgResource } from '#records/users/org';
import { userResource } from '#records/users/user';
import type { Auditor } from './auditor';
import { type Change, storedSides } from './change';
import { entryHash, noHash } from './entryHash';

/**
 * Appends entries to the audit log of an org, in the transaction of the changes that they record. Each entry continues
 * the hash of the one before. So transactions of one org that append conflict, and should take turns ({@link
 * serializedPerOrg}).
 * @param at the instant of the changes by the machine's clock, also in a sandbox
 * @throws GuardFailed when another transaction has appended meanwhile
 */
export async function audit(
  db: Connection,
  session: ClientSession,
  auditor: Auditor,
  at: Date,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  const { org } = auditor;
  const owner = await collectionOf(db, orgResource).findOne({ _id: org }, { session, projection: { auditHead: 1 } });
  assert(owner, 'the org of a change exists');
  const username = auditor.username ?? (await readUsername(db, session, auditor));
  const { auditHead: before } = owner;
  const entries = chained(before, { ...auditor, username }, at, changes);
  const last = entries.at(-1);
  assert(last, 'there is a change');
  const head: AuditHead = { seq: last.seq, hash: last.hash };
  const guard = before ? { 'auditHead.seq': before.seq } : { auditHead: { $exists: false } };
  const moved = await collectionOf(db, orgResource).updateOne(
    { _id: org, ...guard },
    { $set: { auditHead: head } },
    { session },
  );
  if (moved.matchedCount === 0) throw new GuardFailed('another entry was appended first');
  await insertAll(db, session, auditResource.path, entries);
}

function chained(
  head: AuditHead | undefined,
  auditor: Auditor & { username: string },
  at: Date,
  changes: readonly Change[],
): AuditEntry[] {
  let { seq, hash } = head ?? { seq: 0, hash: noHash };
  return changes.map((change) => {
    seq += 1;
    const entry = buildEntry(auditor, at, seq, change);
    hash = entryHash(hash, entry);
    return { ...entry, hash };
  });
}

function buildEntry(auditor: Auditor & { username: string }, at: Date, seq: number, change: Change) {
  const { via = 'service', ip, requestId, userId, username } = auditor;
  const { action, resource, id, changed } = change;
  return {
    ...newStamps(auditor, at, new ObjectId()),
    seq,
    at,
    user: userId,
    username: username.slice(0, 200),
    via,
    ...(ip === undefined ? {} : { ip }),
    ...(requestId === undefined ? {} : { requestId }),
    action,
    resource,
    id: id.toString(),
    ...(changed ? { changed: [...changed] } : {}),
    ...storedSides(change),
  };
}

async function readUsername(db: Connection, session: ClientSession, { userId }: Auditor): Promise<string> {
  const user = await collectionOf(db, userResource).findOne({ _id: userId }, { session, projection: { username: 1 } });
  return user?.username ?? userId.toHexString();
}
