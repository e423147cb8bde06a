import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf, insertAll, updateAll } from '../../db/collections';
import { GuardFailed, type LookUp } from '../../db/transaction';
import { commitLedger, type StampedChange } from '../../memberState/commitLedger';
import {
  type ActivityHistory,
  activityHistoryResource,
  type ProcessingError,
  type StoredEffects,
} from '../../records/activities/activityHistory';
import { limitCounterResource } from '../../records/activities/limitCounter';
import { type Submission, submissionResource } from '../../records/activities/submission';
import { type IssuedReward, issuedRewardResource } from '../../records/offers/issuedReward';

/** How a cancellation changes its target. */
export interface OriginalUpdate {
  id: ObjectId;
  /** How often something had been returned when the target was read; the write fails when another return came between. */
  seenReturns: number;
  /** The same in value: returns of before were not counted. */
  seenReturnedValue: number;
  seenStatus: ActivityHistory['status'];
  status: ActivityHistory['status'];
  returnedValue: number;
  returnedByValue: number;
  returns: number;
  /** When lines came back. */
  lineItems?: ActivityHistory['lineItems'];
  effects: StoredEffects;
  updatedBy: ObjectId;
}

/** Everything that one batch writes; decided completely before anything is written. */
export interface Plan {
  org: ObjectId;
  now: Date;
  changes: readonly StampedChange[];
  histories: readonly ActivityHistory[];
  targets: readonly OriginalUpdate[];
  /** What limits and budgets have used: as read, and after this batch. */
  counters: readonly { id: ObjectId; seen: number; used: number }[];
  /** Issued rewards, with the status they had; undefined of new ones. */
  issued: readonly { seen: IssuedReward['status'] | undefined; reward: IssuedReward }[];
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
  const { org, histories } = plan;
  const [first] = histories;
  const besides = first && { author: { org, userId: first.createdBy }, activityhistories: histories.length };
  await commitLedger(db, session, plan.changes, plan.now, besides);
  await insertAll(db, session, activityHistoryResource.path, histories);
  await updateTargets(db, session, plan);
  await updateCounters(db, session, plan);
  await writeIssued(db, session, plan);
  await insertAll(db, session, submissionResource.path, plan.submissions);
  await finishSubmissions(db, session, plan);
}

/**
 * How to tell whether a plan is committed: by one of its histories, as all is written or nothing. A plan
 * without any is taken as not committed: written again, it changes only what its guards find as it was read.
 */
export function lookUpPlan(db: Connection, { org, histories: [first] }: Plan): LookUp {
  return async (session) => {
    if (!first) return false;
    const one = { _id: first._id, org };
    return (await collectionOf(db, activityHistoryResource).countDocuments(one, { session, limit: 1 })) > 0;
  };
}

async function updateTargets(db: Connection, session: ClientSession, { org, now, targets }: Plan): Promise<void> {
  const updates = targets.map(({ id, seenReturns, seenReturnedValue, seenStatus, ...set }) => ({
    q: {
      _id: id,
      org,
      status: seenStatus,
      returns: orMissing(seenReturns),
      returnedValue: orMissing(seenReturnedValue),
    },
    u: { $set: { ...set, updatedAt: now } },
  }));
  const found = await updateAll(db, session, activityHistoryResource.path, updates);
  if (found !== updates.length) throw new GuardFailed('An activity was cancelled meanwhile');
}

function orMissing(seen: number) {
  return seen === 0 ? { $in: [0, null] } : seen;
}

async function updateCounters(db: Connection, session: ClientSession, { org, now, counters }: Plan): Promise<void> {
  const updates = counters.map(({ id, seen, used }) => ({
    // Missing counts as 0: the insert of two processes at once meets the unique `_id`.
    q: { _id: id, org, used: seen },
    u: { $set: { used, updatedAt: now }, $setOnInsert: { createdAt: now } },
    upsert: seen === 0,
  }));
  const found = await updateAll(db, session, limitCounterResource.path, updates);
  if (found !== updates.length) throw new GuardFailed('A limit or budget was used meanwhile');
}

async function writeIssued(db: Connection, session: ClientSession, { org, now, issued }: Plan): Promise<void> {
  const made = issued.flatMap(({ seen, reward }) => (seen === undefined ? [reward] : []));
  await insertAll(db, session, issuedRewardResource.path, made);
  const updates = issued
    .filter(({ seen }) => seen !== undefined)
    .map(({ seen, reward: { _id, status, usedBy, isRecalled } }) => ({
      q: { _id, org, status: seen },
      u: {
        $set: { status, updatedAt: now, ...(usedBy ? { usedBy } : {}), ...(isRecalled ? { isRecalled } : {}) },
        ...(usedBy ? {} : { $unset: { usedBy: '' } }),
      },
    }));
  const found = await updateAll(db, session, issuedRewardResource.path, updates);
  if (found !== updates.length) throw new GuardFailed('An issued reward was used meanwhile');
}

/** Ends queued submissions: those that became a history by status, those that did not with why. */
async function finishSubmissions(db: Connection, session: ClientSession, plan: Plan): Promise<void> {
  const { now, finished, refused } = plan;
  const ends = [
    { ids: finished.Processed, set: { status: 'Processed' } },
    { ids: finished.Error, set: { status: 'Error' } },
    ...refused.map(({ id, errors }) => ({ ids: [id], set: { status: 'Error', outcome: { errors } } })),
  ].filter(({ ids }) => ids.length > 0);
  const updates = ends.map(({ ids, set }) => ({
    q: { _id: { $in: ids }, status: 'Queued' },
    u: { $set: { ...set, updatedAt: now }, $unset: { request: '' } },
    multi: true,
  }));
  const found = await updateAll(db, session, submissionResource.path, updates);
  if (found !== ends.reduce((sum, { ids }) => sum + ids.length, 0)) {
    throw new GuardFailed('A submission was processed meanwhile');
  }
}
