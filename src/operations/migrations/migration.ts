import type { Connection } from 'mongoose';

/** What a migration gets beside the database. */
export interface MigrationRun {
  /** Says how far it is; called between batches. */
  progress(done: number, total: number): void;
  /** Aborted when this process may no longer migrate. Long work checks it between batches. */
  signal: AbortSignal;
}

/**
 * A change of data that earlier versions stored, made once in each database. It must be idempotent and continue where a
 * killed run stopped: it may run again from the start, and for an instant in two processes at once.
 */
export interface Migration {
  /** 1, 2, 3 … in the order of the list. The highest that a database has is its level. */
  number: number;
  /** What it does, in a few words. */
  name: string;
  /** Processes of an earlier version must have ended: they could not tolerate the change, or would undo it. */
  isExclusive?: boolean;
  up(db: Connection, run: MigrationRun): Promise<void>;
}
