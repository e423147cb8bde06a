import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import { elapsedMs } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { endsIn, isOver } from '#base/db/leases/lease';
import { readLocal } from '#base/db/readLocal';
import { isDuplicateKey } from '#base/db/transaction';
import { instant, text } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

/**
 * `lastsMs`: when a lease ends that its holder neither renews nor ends. `waitMs`, `pollMs`: how long and how often another process
 * tries to take it. `nextMs`: how long the process in `next` keeps its place after its last try. `rememberedMs`: how
 * long a record counts as busy after a conflict.
 */
export const recordLeaseLimits = {
  lastsMs: 1000,
  waitMs: 1500,
  pollMs: 5,
  nextMs: 200,
  rememberedMs: 5000,
  rememberedMax: 10_000,
} as const;

/**
 * Leases of busy members and counters; `_id` is the id of the member or counter, `holder` the process that has the lease,
 * `next` the process that gets it next. Internal.
 */
export const recordLeaseResource = defineResource({
  name: 'Lease',
  path: 'leases',
  isInternal: true,
  fields: { holder: text(100), until: instant(), next: text(100), nextUntil: instant() },
  indexes: [{ keys: { until: 1 }, expireAfterSeconds: 60 }],
});

/** A member or counter of a batch. */
export interface RecordRead {
  _id: ObjectId;
  /** What the guard of a commit compares, as the batch has read it. Absent: it is yet to be read. */
  version?: number;
}

/** The lease of the records that one batch works on. */
export interface RecordLease {
  /**
   * Takes the leases of those records for which another process's commit caused a conflict lately. Waits until it has
   * them or `waitMs` is over.
   * @returns true when it tried to take any: the caller must then read the records again
   */
  take(records: readonly RecordRead[]): Promise<boolean>;
  /** Tells whether `take` would have to take any. */
  lacks(records: readonly RecordRead[]): boolean;
  /**
   * Notes that a commit to these records conflicted with another one. When the next `take` finds a record with another
   * version, that record is busy: another process commits to it too.
   */
  noteConflict(records: readonly RecordRead[]): void;
  /** Ends the leases. Until then they are renewed, so the caller must end what it takes. */
  end(): Promise<void>;
}

/**
 * Makes processes that commit to the same busy record take turns. Otherwise the faster process would always win, and
 * the other would start over each time. A lease is only advice: the guard of the commit protects the ledger. So a lost
 * or expired lease costs one retry, nothing else.
 */
export function createRecordLeases(
  db: Connection,
  rememberedMs: number = recordLeaseLimits.rememberedMs,
): () => RecordLease {
  const busy = new LRUCache<string, true>({ max: recordLeaseLimits.rememberedMax, ttl: rememberedMs });
  const holder = randomUUID();
  return () => openLease({ db, busy, holder });
}

interface LeaseState {
  db: Connection;
  busy: LRUCache<string, true>;
  holder: string;
}

/** A record of a batch, as an attempt that conflicted read it. */
interface KnownRecord extends RecordRead {
  isLeased: boolean;
}

function openLease(state: LeaseState): RecordLease {
  const { db, busy, holder } = state;
  /** By hexadecimal id. */
  const known = new Map<string, KnownRecord>();
  let renewing: NodeJS.Timeout | undefined;
  const end = async () => {
    clearInterval(renewing);
    const leased = [...known.values()].filter(({ isLeased }) => isLeased);
    if (leased.length === 0) return;
    for (const record of leased) record.isLeased = false;
    // A lease that cannot be released ends by itself. The error must not hide the outcome of the commit.
    await release(db, holder, idsOf(leased)).catch(() => undefined);
  };
  const noteChanged = ({ _id, version }: RecordRead) => {
    const before = known.get(_id.toHexString())?.version;
    if (before !== undefined && version !== undefined && before !== version) busy.set(_id.toHexString(), true);
  };
  const busyOnes = (records: readonly RecordRead[]) => records.filter(({ _id }) => busy.has(_id.toHexString()));
  const lacks = (records: readonly RecordRead[]) =>
    busyOnes(records).some(({ _id }) => !known.get(_id.toHexString())?.isLeased);
  return {
    async take(records) {
      records.forEach(noteChanged);
      // A retry keeps the leases of the first attempt.
      if (!lacks(records)) return false;
      await end();
      const wanted = busyOnes(records);
      for (const record of wanted) known.set(record._id.toHexString(), { ...record, isLeased: true });
      // All processes take leases in the same order, so that two never wait for each other.
      await takeAll(
        state,
        idsOf(wanted).sort((a, b) => (a.toHexString() < b.toHexString() ? -1 : 1)),
      );
      // A large batch on a busy machine works for longer than a lease lasts.
      const keep = () => void renew(state, idsOf(wanted)).catch(() => undefined);
      clearInterval(renewing);
      renewing = setInterval(keep, recordLeaseLimits.lastsMs / 3).unref();
      return true;
    },
    lacks,
    noteConflict(records) {
      for (const record of records) {
        const isLeased = known.get(record._id.toHexString())?.isLeased ?? false;
        known.set(record._id.toHexString(), { ...record, isLeased });
      }
    },
    end,
  };
}

function idsOf(records: readonly RecordRead[]): ObjectId[] {
  return records.map(({ _id }) => _id);
}

/** A lost lease is harmless, so these writes do not wait for MongoDB's journal. */
const fastWrite = { writeConcern: { w: 1, journal: false } };

/**
 * Takes leases in their order, or gives up after a while. It waits for one at a time, and renews those before it. A record
 * whose lease another process has stays busy.
 */
async function takeAll(state: LeaseState, ids: readonly ObjectId[]): Promise<void> {
  const waitedLong = AbortSignal.timeout(recordLeaseLimits.waitMs);
  let taken = await tryToTake(state, ids, false);
  let renewedAt = elapsedMs();
  while (taken < ids.length && !waitedLong.aborted) {
    const awaited = ids.slice(taken, taken + 1);
    for (const id of awaited) state.busy.set(id.toHexString(), true);
    await sleep(recordLeaseLimits.pollMs);
    const isFree = (await tryToTake(state, awaited, true)) === 1;
    if (isFree) taken += 1 + (await tryToTake(state, ids.slice(taken + 1), false));
    if (taken > 0 && elapsedMs() - renewedAt > recordLeaseLimits.lastsMs / 3) {
      renewedAt = elapsedMs();
      await renew(state, ids.slice(0, taken));
    }
  }
}

/**
 * Tries to take leases, all by one command.
 * @param comesNext true: where this process does not get a lease, it becomes `next`, unless another process is
 * @returns how many leases it has from the first on without a gap; those after a gap are released again
 */
async function tryToTake({ db, holder }: LeaseState, ids: readonly ObjectId[], comesNext: boolean): Promise<number> {
  if (ids.length === 0) return 0;
  const leases = collectionOf(db, recordLeaseResource);
  const update = [{ $set: leaseUpdate(holder, comesNext) }];
  const tries = ids.map((_id) => ({ updateOne: { filter: { _id }, update, upsert: true } }));
  await leases.bulkWrite(tries, { ordered: false, ...fastWrite }).catch((error: unknown) => {
    // Another process inserted a lease at the same moment.
    if (!isDuplicateKey(error)) throw error;
  });
  const options = { projection: { _id: 1 }, ...readLocal };
  // A lease of this process that has ended is not its own any more while another process is next.
  const isOwn = { _id: { $in: [...ids] }, holder, $expr: { $not: isOver('until') } };
  const own = await leases.find(isOwn, options).toArray();
  if (own.length === ids.length) return ids.length;
  const held = new Set(own.map(({ _id }) => _id.toHexString()));
  const firstMissing = ids.findIndex((id) => !held.has(id.toHexString()));
  const after = ids.slice(firstMissing).filter((id) => held.has(id.toHexString()));
  if (after.length > 0) await release(db, holder, after);
  return firstMissing;
}

/** Renews the leases of this process that have not ended. */
async function renew({ db, holder }: LeaseState, ids: readonly ObjectId[]): Promise<void> {
  const until = endsIn(recordLeaseLimits.lastsMs);
  await collectionOf(db, recordLeaseResource).updateMany(
    { _id: { $in: [...ids] }, holder, $expr: { $not: isOver('until') } },
    [{ $set: { until } }],
    fastWrite,
  );
}

/** Releases leases. When another process waits for a lease, the record stays with that process as `next`. */
async function release(db: Connection, holder: string, ids: readonly ObjectId[]): Promise<void> {
  const own = { _id: { $in: [...ids] }, holder };
  await collectionOf(db, recordLeaseResource).bulkWrite(
    [
      {
        updateMany: {
          filter: { ...own, next: { $exists: true } },
          update: { $set: { until: new Date(0) }, $unset: { holder: '' } },
        },
      },
      { deleteMany: { filter: { ...own, next: { $exists: false } } } },
    ],
    fastWrite,
  );
}

/**
 * The update by which a process tries to take a lease. It gets the lease when it has it already, or when the lease is
 * over and no other process is next.
 */
function leaseUpdate(holder: string, comesNext: boolean): Record<string, object> {
  const me = { $literal: holder };
  const isNext = { $or: [{ $eq: [{ $ifNull: ['$next', me] }, me] }, isOver('nextUntil')] };
  const isMine = { $cond: [isOver('until'), isNext, { $eq: ['$holder', me] }] };
  const ifMine = (mine: unknown, others: unknown) => ({ $cond: [isMine, mine, others] });
  const asNext = (next: unknown, field: string) => ({
    $cond: [isNext, ifMine('$$REMOVE', comesNext ? next : field), field],
  });
  return {
    holder: ifMine(me, '$holder'),
    until: ifMine(endsIn(recordLeaseLimits.lastsMs), '$until'),
    next: asNext(me, '$next'),
    nextUntil: asNext(endsIn(recordLeaseLimits.nextMs), '$nextUntil'),
  };
}
