import type { Collection, Connection } from 'mongoose';
import { type IndexSpec, indexLabel } from './indexSpecs';

/** An index that a start left to the job `indexes`, because its collection is large. */
export interface DeferredIndex {
  /** `<collection>.<name>`. */
  _id: string;
  status: 'Waiting' | 'Building' | 'Failed';
  /** Documents that MongoDB has looked at for it, of all; 0 when it does not say. */
  done: number;
  total: number;
  /** Why it could not be made, in one line. */
  error?: string;
}

/** The indexes that are still to be made. */
export async function deferredIndexes(db: Connection): Promise<DeferredIndex[]> {
  return deferredIndexCollection(db).find({}).sort({ _id: 1 }).limit(100).toArray();
}

/** Remembers exactly these indexes as still to be made. */
export async function deferIndexes(db: Connection, specs: readonly IndexSpec[]): Promise<void> {
  const ids = specs.map(indexLabel);
  await deferredIndexCollection(db).deleteMany({ _id: { $nin: ids } });
  const waiting = { status: 'Waiting', done: 0, total: 0 } as const;
  for (const _id of ids)
    await deferredIndexCollection(db).updateOne({ _id }, { $setOnInsert: waiting }, { upsert: true });
}

/** Stores how far the making of an index is. */
export async function noteIndex(db: Connection, spec: IndexSpec, set: Partial<DeferredIndex>): Promise<void> {
  await deferredIndexCollection(db).updateOne({ _id: indexLabel(spec) }, { $set: set });
}

/** Forgets an index that was made. */
export async function indexIsMade(db: Connection, spec: IndexSpec): Promise<void> {
  await deferredIndexCollection(db).deleteOne({ _id: indexLabel(spec) });
}

function deferredIndexCollection(db: Connection): Collection<DeferredIndex> {
  return db.collection<DeferredIndex>('deferredindexes');
}
