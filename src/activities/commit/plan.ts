import type { ObjectId } from 'bson';
import type { Author } from '#base/db/records';
import type { StampedChange } from '#members/memberState/commitLedger';
import type { Activity } from '#records/activities/activity';
import type { ActivityHistory, ProcessingError, StoredEffects } from '#records/activities/activityHistory';
import type { Submission } from '#records/activities/submission';
import type { ImportedRow } from '#records/imports/importError';
import type { IssuedReward } from '#records/offers/issuedReward';
import type { LowBudget } from './lowBudgets';
import type { WindowChange } from './updateWindows';

/** The changes that a cancellation makes to its original. */
export interface OriginalUpdate {
  id: ObjectId;
  /** Number of returns when the original was read. The write fails when another return was committed since. */
  seenReturns: number;
  /** Returned value when the original was read. Also a guard, because older histories do not count their returns. */
  seenReturnedValue: number;
  seenStatus: ActivityHistory['status'];
  status: ActivityHistory['status'];
  returnedValue: number;
  returnedByValue: number;
  returns: number;
  /** Present when lines were returned. */
  lineItems?: ActivityHistory['lineItems'];
  effects: StoredEffects;
  updatedBy: ObjectId;
}

/** A row of an import whose activity has an error. */
export interface FailedRow {
  author: Author;
  row: ImportedRow;
  errors: readonly ProcessingError[];
}

/** A queued submission that was refused without a history, with its errors. */
export interface RefusedSubmission {
  id: ObjectId;
  /** The key of the submission. */
  key: string;
  errors: ProcessingError[];
  activity: Activity;
  /** The original of a cancellation. */
  original?: ObjectId | undefined;
  author: Author;
  /** The row of an import that it comes from. */
  row?: ImportedRow | undefined;
}

/** Everything that one batch writes. It is complete before the first write. */
export interface Plan {
  org: ObjectId;
  now: Date;
  changes: readonly StampedChange[];
  histories: readonly ActivityHistory[];
  originals: readonly OriginalUpdate[];
  /** Used amounts of limits and budgets: `seen` as read, `used` after this batch. */
  counters: readonly { id: ObjectId; seen: number; used: number }[];
  /** Uses of limits by windows. */
  windows: readonly WindowChange[];
  /** Issued rewards. `seen` is the status as read; undefined for a new one. */
  issued: readonly { seen: IssuedReward['status'] | undefined; reward: IssuedReward }[];
  submissions: readonly Submission[];
  /** Ids of refused submissions that had the same keys. */
  replaced: readonly ObjectId[];
  /** Queued occasions that the activities caused, in addition to those of `changes`. */
  occasions: readonly Submission[];
  /** Ids of queued submissions with a history, by their final status. */
  finished: { Processed: readonly ObjectId[]; Error: readonly ObjectId[] };
  /** Queued submissions that were refused without a history. */
  refused: readonly RefusedSubmission[];
  /** Rows of imports whose activities have an error. */
  failedRows: readonly FailedRow[];
  /** The originals of cancellations, by the hexadecimal id of the cancellation's history. */
  cancels: ReadonlyMap<string, { original: ObjectId; isWhole: boolean }>;
  lowBudgets: readonly LowBudget[];
}
