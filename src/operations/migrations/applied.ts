import type { Collection, Connection } from 'mongoose';
import { readLocal } from '#base/db/readLocal';
import type { Migration } from './migration';

/** A migration that a database has, or that has begun in it. */
export interface Applied {
  /** Its number. */
  _id: number;
  name: string;
  isExclusive: boolean;
  startedAt: Date;
  /** Absent while it runs, and when its process was killed. */
  finishedAt?: Date;
}

/** Reads the migrations of a database, in order. */
export async function appliedMigrations(db: Connection): Promise<Applied[]> {
  return migrationCollection(db).find({}, readLocal).sort({ _id: 1 }).toArray();
}

/** The migrations of this version that a database does not have. */
export function pendingMigrations(list: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const finished = new Set(applied.flatMap(({ _id, finishedAt }) => (finishedAt ? [_id] : [])));
  return list.filter(({ number }) => !finished.has(number));
}

/** Stores that a migration begins. */
export async function beginMigration(db: Connection, migration: Migration, now: Date): Promise<void> {
  const { name, isExclusive = false } = migration;
  const set = { name, isExclusive, startedAt: now };
  await migrationCollection(db).updateOne({ _id: migration.number }, { $setOnInsert: set }, { upsert: true });
}

/** Stores that a migration is done. */
export async function finishMigration(db: Connection, { number }: Migration, now: Date): Promise<void> {
  await migrationCollection(db).updateOne({ _id: number }, { $set: { finishedAt: now } });
}

/** Stores that a database has these migrations without having run them, because it is new. */
export async function markApplied(db: Connection, list: readonly Migration[], now: Date): Promise<void> {
  const rows = list.map(({ number, name, isExclusive = false }) => ({
    updateOne: {
      filter: { _id: number },
      update: { $setOnInsert: { name, isExclusive, startedAt: now, finishedAt: now } },
      upsert: true,
    },
  }));
  if (rows.length > 0) await migrationCollection(db).bulkWrite(rows, { ordered: false });
}

/** The row that blocks migrations while a restore has not finished. No migration has this number. */
export const unfinishedRestore = 1_000_000_000;

/** Stores that a restore has begun, so that no process starts on half of it. An earlier one may be unfinished. */
export async function beginRestore(db: Connection, now: Date): Promise<void> {
  const set = { name: 'restore', isExclusive: true, startedAt: now };
  await migrationCollection(db).updateOne({ _id: unfinishedRestore }, { $set: set }, { upsert: true });
}

/** Tells whether a restore has begun and not finished: its process was killed, or still works. */
export async function hasUnfinishedRestore(db: Connection): Promise<boolean> {
  return (await appliedMigrations(db)).some(({ _id }) => _id === unfinishedRestore);
}

/** Forgets every migration of a database. That a restore has begun stays stored. */
export async function forgetMigrations(db: Connection): Promise<void> {
  await migrationCollection(db).deleteMany({ _id: { $ne: unfinishedRestore } });
}

/** Stores that a restore is whole. */
export async function finishRestore(db: Connection): Promise<void> {
  await migrationCollection(db).deleteOne({ _id: unfinishedRestore });
}

function migrationCollection(db: Connection): Collection<Applied> {
  return db.collection<Applied>('migrations');
}
