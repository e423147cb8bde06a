import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Connection } from 'mongoose';
import { readLocal } from '../readLocal';
import { isDuplicateKey } from '../transaction';
import { defineLeases, keepLease } from './lease';

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

const leases = defineLeases({ holder: 'owner', until: 'until', ...lockLimits });

/**
 * Runs `work` while this process holds a lock of the whole installation. When its holder is killed, a lock is free
 * after some seconds. A holder that was only suspended is notified by the signal, so `work` must tolerate that another
 * process has continued it.
 */
export async function withLock<T>(
  db: Connection,
  name: string,
  options: LockOptions,
  work: (lock: Lock) => Promise<T>,
): Promise<T | typeof taken> {
  const own = { _id: name, owner: randomUUID() };
  const holder = {
    host: os.hostname(),
    pid: process.pid,
    note: '',
    ...(options.level ? { level: options.level } : {}),
  };
  while (!(await take(db, own, holder))) {
    if (!options.onWaiting) return taken;
    const other = await lockHolder(db, name);
    if (other) options.onWaiting(other);
    await sleep(lockLimits.renewedEveryMs);
  }
  let note = '';
  const renew = async () =>
    (await lockCollection(db).updateOne(own, leases.renewed({ ...holder, note }))).matchedCount === 1;
  const kept = keepLease(lockLimits, renew, { reason: new LockLost(name) });
  const lock = {
    signal: kept.signal,
    note(text: string) {
      note = text;
    },
  };
  try {
    return await work(lock);
  } finally {
    await kept.end();
    await lockCollection(db)
      .deleteOne(own)
      .catch(() => undefined);
  }
}

/** The living holder of a lock; undefined when it is free. */
export async function lockHolder(db: Connection, name: string): Promise<LockHolder | undefined> {
  const row = await lockCollection(db).findOne({ _id: name, $nor: [leases.free] }, readLocal);
  return row ? { host: row.host, pid: row.pid, note: row.note, ...(row.level ? { level: row.level } : {}) } : undefined;
}

/** The reason with which the signal of a lost lock is aborted. */
export class LockLost extends Error {
  override readonly name = 'LockLost';
  constructor(lock: string) {
    super(`the lock ${lock} was lost: this process slept, or could not reach the database`);
  }
}

/** Takes a lock. False when another process holds it. */
async function take(db: Connection, own: Pick<LockRow, '_id' | 'owner'>, holder: LockHolder): Promise<boolean> {
  const { _id, owner } = own;
  const attempt = async () =>
    (await lockCollection(db).updateOne({ _id, ...leases.free }, leases.taken(owner, holder))).matchedCount === 1;
  return (await attempt()) || ((await makeRow(db, _id)) && (await attempt()));
}

/** Makes the row of a lock, free. False when there is one. */
async function makeRow(db: Connection, name: string): Promise<boolean> {
  try {
    await lockCollection(db).insertOne({ _id: name, owner: '', host: '', pid: 0, note: '', until: new Date(0) });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

function lockCollection(db: Connection): Collection<LockRow> {
  return db.collection<LockRow>('locks');
}
