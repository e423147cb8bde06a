import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Connection } from 'mongoose';
import { elapsedMs } from '#base/common/clock';
import { readLocal } from './readLocal';
import { isDuplicateKey } from './transaction';

/** How long a lock lasts after a renewal, by the database's clock, and how often its holder renews it. */
export const lockLimits = { lastsMs: 6000, renewedEveryMs: 1000 } as const;

/** Who holds a lock of the installation, and what the holder is doing. */
export interface LockHolder {
  host: string;
  pid: number;
  /** What the holder does, for others to show. */
  note: string;
  /** Version of the stored data that the holder writes; see `migrations/`. */
  level?: number;
}

interface LockRow extends LockHolder {
  /** Name of the lock. */
  _id: string;
  owner: string;
  until: Date;
}

/** A lock that this process holds. */
export interface Lock {
  /** Aborted when the lock was lost: another process may do the work now. */
  signal: AbortSignal;
  /** Says what the holder does. Others see it after the next renewal. */
  note(text: string): void;
}

/** How {@link withLock} waits for another holder; without it, it does not wait. */
export interface LockOptions {
  level?: number;
  /** Called about once a second with the present holder. */
  onWaiting?(holder: LockHolder): void;
}

/** The answer when another process holds the lock and the caller does not wait. */
export const taken = Symbol('taken');

/**
 * Runs `work` while this process holds a lock of the whole installation. When its holder is killed, a lock is free
 * after some seconds. A holder that only slept is told by the signal, so `work` must tolerate that another process has
 * gone on with it.
 */
export async function withLock<T>(
  db: Connection,
  name: string,
  options: LockOptions,
  work: (lock: Lock) => Promise<T>,
): Promise<T | typeof taken> {
  const owner = randomUUID();
  const own = { host: os.hostname(), pid: process.pid, note: '', ...(options.level ? { level: options.level } : {}) };
  while (!(await claim(db, name, owner, own))) {
    if (!options.onWaiting) return taken;
    const holder = await lockHolder(db, name);
    if (holder) options.onWaiting(holder);
    await sleep(lockLimits.renewedEveryMs);
  }
  const kept = keep(db, name, owner, own);
  try {
    return await work(kept.lock);
  } finally {
    kept.end();
    await locksOf(db)
      .deleteOne({ _id: name, owner })
      .catch(() => undefined);
  }
}

/** The living holder of a lock; undefined when it is free. */
export async function lockHolder(db: Connection, name: string): Promise<LockHolder | undefined> {
  const living = { _id: name, $expr: { $gt: ['$until', '$$NOW'] } };
  const row = await locksOf(db).findOne(living, readLocal);
  return row ? { host: row.host, pid: row.pid, note: row.note, ...(row.level ? { level: row.level } : {}) } : undefined;
}

function keep(db: Connection, name: string, owner: string, own: LockHolder) {
  const lost = new AbortController();
  let note = own.note;
  let renewedAt = elapsedMs();
  let isRenewing = false;
  const renew = async () => {
    if (isRenewing) return;
    isRenewing = true;
    const requestedAt = elapsedMs();
    try {
      if (await claim(db, name, owner, { ...own, note })) renewedAt = requestedAt;
      else lost.abort(new LockLost(name));
    } catch {
      if (elapsedMs() - renewedAt > lockLimits.lastsMs) lost.abort(new LockLost(name));
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => void renew(), lockLimits.renewedEveryMs);
  const lock = {
    signal: lost.signal,
    note(text: string) {
      note = text;
    },
  };
  return { lock, end: () => clearInterval(timer) };
}

/** The reason with which the signal of a lost lock is aborted. */
export class LockLost extends Error {
  override readonly name = 'LockLost';
  constructor(lock: string) {
    super(`the lock ${lock} was lost: this process slept, or could not reach the database`);
  }
}

/** Takes or renews a lock. False when another process holds it. */
async function claim(db: Connection, name: string, owner: string, holder: LockHolder): Promise<boolean> {
  const isFree = { $or: [{ $lt: ['$until', '$$NOW'] }, { $eq: ['$owner', owner] }] };
  const until = { $add: ['$$NOW', lockLimits.lastsMs] };
  const set = { ...Object.fromEntries(Object.entries(holder).map(literal)), owner, until };
  const take = async () =>
    (await locksOf(db).updateOne({ _id: name, $expr: isFree }, [{ $set: set }])).matchedCount === 1;
  return (await take()) || ((await makeRow(db, name)) && (await take()));
}

/** Makes the row of a lock, free. False when there is one. */
async function makeRow(db: Connection, name: string): Promise<boolean> {
  try {
    await locksOf(db).insertOne({ _id: name, owner: '', host: '', pid: 0, note: '', until: new Date(0) });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

function literal([field, value]: [string, unknown]): [string, unknown] {
  return [field, { $literal: value }];
}

function locksOf(db: Connection): Collection<LockRow> {
  return db.collection<LockRow>('locks');
}
