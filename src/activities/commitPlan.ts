import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '../db/resource';
import { GuardFailed } from '../db/transaction';
import { commitLedger, insertRows, type StampedChange } from '../points/commitLedger';
import {
  type ActivityHistory,
  activityHistoryResource,
  type ProcessingError,
  type StoredEffects,
} from './activityHistory';
import { limitCounterResource } from './limitCounter';
import { type Submission, submissionResource } from './submission';

/** How a cancellation changes its target. */
export interface TargetUpdate {
  id: ObjectId;
  /** What had been returned when the target was read; the write fails when another return came between. */
  seenReturnedValue: number;
  seenStatus: ActivityHistory['status'];
  status: ActivityHistory['status'];
  returnedValue: number;
  effects: StoredEffects;
}

/** Everything that one batch writes; decided completely before anything is written. */
export interface Plan {
  org: ObjectId;
  now: Date;
  changes: readonly StampedChange[];
  histories: readonly ActivityHistory[];
  targets: readonly TargetUpdate[];
  /** What limits and budgets have used: as read, and after this batch. */
  counters: readonly { id: ObjectId; seen: number; used: number }[];
  submissions: readonly Submission[];
  /** Queued submissions by the status they end in. */
  finished: { Processed: readonly ObjectId[]; Error: readonly ObjectId[] };
  /** Queued submissions that made no history, with why. */
  refused: readonly { id: ObjectId; errors: ProcessingError[] }[];
}

/**
 * Writes a plan inside a transaction.
 * @throws GuardFailed when anything it rests on was changed by another commit
 */
export async function commitPlan(db: Connection, session: ClientSession, plan: Plan): Promise<void> {
  await commitLedger(db, session, plan.changes, plan.now);
  await insertRows(db, session, activityHistoryResource.path, plan.histories);
  await updateTargets(db, session, plan);
  await updateCounters(db, session, plan);
  await insertRows(db, session, submissionResource.path, plan.submissions);
  await finishSubmissions(db, session, plan);
  await refuseSubmissions(db, session, plan);
}

async function updateTargets(db: Connection, session: ClientSession, { org, now, targets }: Plan): Promise<void> {
  if (targets.length === 0) return;
  const writes = targets.map(({ id, seenReturnedValue, seenStatus, ...set }) => ({
    updateOne: {
      filter: {
        _id: id,
        org,
        status: seenStatus,
        ...(seenReturnedValue === 0 ? { returnedValue: { $in: [0, null] } } : { returnedValue: seenReturnedValue }),
      },
      update: { $set: { ...set, updatedAt: now } },
    },
  }));
  const { matchedCount } = await db.collection(activityHistoryResource.path).bulkWrite(writes, { session });
  if (matchedCount !== targets.length) throw new GuardFailed('An activity was cancelled meanwhile');
}

async function updateCounters(db: Connection, session: ClientSession, { org, now, counters }: Plan): Promise<void> {
  if (counters.length === 0) return;
  const writes = counters.map(({ id, seen, used }) => ({
    updateOne: {
      // Missing counts as 0: the insert of two processes at once meets the unique `_id`.
      filter: { _id: id, org, used: seen },
      update: { $set: { used, updatedAt: now }, $setOnInsert: { createdAt: now } },
      upsert: seen === 0,
    },
  }));
  const result = await collectionOf(db, limitCounterResource).bulkWrite(writes, { session });
  if (result.matchedCount + result.upsertedCount !== counters.length) {
    throw new GuardFailed('A limit or budget was used meanwhile');
  }
}

async function finishSubmissions(db: Connection, session: ClientSession, plan: Plan): Promise<void> {
  for (const status of ['Processed', 'Error'] as const) {
    const ids = plan.finished[status];
    if (ids.length === 0) continue;
    const { matchedCount } = await collectionOf(db, submissionResource).updateMany(
      { _id: { $in: [...ids] }, status: 'Queued' },
      { $set: { status, updatedAt: plan.now }, $unset: { request: '' } },
      { session },
    );
    if (matchedCount !== ids.length) throw new GuardFailed('A submission was processed meanwhile');
  }
}

async function refuseSubmissions(db: Connection, session: ClientSession, { refused, now }: Plan): Promise<void> {
  if (refused.length === 0) return;
  const writes = refused.map(({ id, errors }) => ({
    updateOne: {
      filter: { _id: id, status: 'Queued' as const },
      update: {
        $set: { status: 'Error' as const, outcome: { errors }, updatedAt: now },
        $unset: { request: '' as const },
      },
    },
  }));
  const { matchedCount } = await collectionOf(db, submissionResource).bulkWrite(writes, { session });
  if (matchedCount !== refused.length) throw new GuardFailed('A submission was processed meanwhile');
}
