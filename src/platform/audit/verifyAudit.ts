import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { eachYielding } from '#base/db/readYielding';
import { type AuditEntry, type AuditHead, auditResource } from '#records/users/auditEntry';
import { orgResource } from '#records/users/org';
import { entryHash, noHash } from './entryHash';

/**
 * The action of the entry that records what retention has deleted: `id` and `after` identify the last deleted entry.
 */
export const pruneAction = 'prune';

/** What a check of an audit log found. */
export interface AuditCheck {
  /** Entries that were read and agree with the chain. */
  entries: number;
  /** The last of them; undefined when there is none. Noted elsewhere, it shows later whether the log was rewritten. */
  head: AuditHead | undefined;
  /** The first fault; undefined when there is none. */
  fault: string | undefined;
}

interface CheckOptions {
  org: ObjectId;
  /** The hash of an entry as it was noted before. The log must still have that entry. */
  expect?: string | undefined;
  onProgress?(entries: number): void;
}

/** Entries that are read at once. */
const pageSize = 1000;

/** How often a check starts again because the beginning of the log was pruned while it read. */
const restartsMax = 5;

/**
 * Checks that nobody changed, removed, added or swapped entries of an org's audit log. The service may continue
 * appending and pruning meanwhile. It stops at the first fault.
 */
export async function verifyAudit(db: Connection, options: CheckOptions): Promise<AuditCheck> {
  for (let restarts = 0; ; restarts += 1) {
    const first = await firstSeq(db, options.org);
    const check = await walk(db, options);
    // Pruning removes from the beginning. An entry records what is missing there, and the next walk finds it.
    const wasPruned = check.fault !== undefined && (await firstSeq(db, options.org)) !== first;
    if (!wasPruned || restarts >= restartsMax) return check;
  }
}

async function firstSeq(db: Connection, org: ObjectId): Promise<number | undefined> {
  return (await collectionOf(db, auditResource).findOne({ org }, { sort: { seq: 1 }, projection: { seq: 1 } }))?.seq;
}

async function walk(db: Connection, { org, expect, onProgress }: CheckOptions): Promise<AuditCheck> {
  const kept = await readChainHead(db, org);
  let last = await pruned(db, org);
  let entries = 0;
  let isExpected = expect === undefined || expect === last?.hash;
  const stop = (fault?: string): AuditCheck => ({ entries, head: last, fault });
  const stored = collectionOf(db, auditResource).find({ org }).sort({ seq: 1 }).batchSize(pageSize);
  for await (const entry of eachYielding(stored)) {
    const fault = chainFault(entry, last, kept);
    if (fault !== undefined) return stop(fault);
    last = { seq: entry.seq, hash: entry.hash };
    isExpected ||= entry.hash === expect;
    entries += 1;
    if (entries % pageSize === 0) onProgress?.(entries);
  }
  const seq = last?.seq ?? 0;
  if (kept && seq < kept.seq)
    return stop(`the entries after ${seq} are missing: the org keeps ${kept.seq} as the last`);
  // Read again, because the service may have appended since.
  const { seq: keptNow } = (await readChainHead(db, org)) ?? { seq: 0 };
  if (seq > keptNow) return stop(`entry ${keptNow + 1} was added: the org keeps ${keptNow} as the last`);
  return stop(
    isExpected ? undefined : 'no entry has the expected hash: the log was rewritten, or that entry was pruned',
  );
}

/** Why an entry does not continue the log; undefined when it does. */
function chainFault(entry: AuditEntry, last: AuditHead | undefined, kept: AuditHead | undefined): string | undefined {
  const { seq, hash } = entry;
  const next = (last?.seq ?? 0) + 1;
  if (seq < next) return `entry ${seq} stands twice`;
  if (seq > next)
    return next === seq - 1 ? `entry ${next} is missing` : `the entries ${next} to ${seq - 1} are missing`;
  const isWhole = entryHash(last?.hash ?? noHash, entry) === hash;
  if (!isWhole) return `entry ${seq} was changed, or is not the one that was there`;
  if (seq === kept?.seq && hash !== kept.hash) return `entry ${seq} is not the one that the org keeps as the last`;
  return undefined;
}

/**
 * The last entry that retention has deleted, as a later entry records it; undefined when the log is complete, or no
 * entry records it. The walk reads that later entry too.
 */
async function pruned(db: Connection, org: ObjectId): Promise<AuditHead | undefined> {
  const seq = ((await firstSeq(db, org)) ?? 1) - 1;
  if (seq === 0) return undefined;
  const filter = { org, resource: auditResource.path, id: String(seq), action: pruneAction };
  const entry = await collectionOf(db, auditResource).findOne(filter);
  const hash = entry?.after?.hash;
  return typeof hash === 'string' ? { seq, hash } : undefined;
}

async function readChainHead(db: Connection, org: ObjectId): Promise<AuditHead | undefined> {
  return (await collectionOf(db, orgResource).findOne({ _id: org }, { projection: { auditHead: 1 } }))?.auditHead;
}
