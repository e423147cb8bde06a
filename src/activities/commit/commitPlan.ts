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
import type { WindowChange } from './updateWindows';
import { updateWindows } from './updateWindows';

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
  /** Queued occasions that the activities caused, beside those of `changes`. */
  occasions: readonly Submission[];
  /** Ids of queued submissions with a history, by their final status. */
  finished: { Processed: readonly ObjectId[]; Error: readonly ObjectId[] };
  /** Queued submissions that were refused without a history, with their errors. */
  refused: readonly { id: ObjectId; errors: ProcessingError[] }[];
}

/**
 * Writes a plan inside a transaction.
 * @throws GuardFailed when another commit changed a record that the plan depends on
 */
export async function commitPlan(db: Connection, session: ClientSession, plan: Plan): Promise<void> {
  const { org, histories } = plan;
  const [first] = histories;
  const besides = first && { author: { org, userId: first.createdBy }, activityhistories: histories.length };
  await commitLedger(db, session, plan.changes, plan.now, besides);
  await insertAll(db, session, activityHistoryResource.path, histories);
  await updateOriginals(db, session, plan);
  await updateCounters(db, session, plan);
  if (plan.windows.length > 0) await updateWindows(db, session, plan);
  await writeIssued(db, session, plan);
  await insertAll(db, session, submissionResource.path, [...plan.submissions, ...plan.occasions]);
  await finishSubmissions(db, session, plan);
}

/**
 * Makes the look-up that tells whether a plan was committed. One of its histories is enough, because a transaction
 * writes all or nothing. A plan without histories counts as not committed. Its guards make it safe to commit again.
 */
export function lookUpPlan(db: Connection, { org, histories: [first] }: Plan): LookUp {
  return async (session) => {
    if (!first) return false;
    const one = { _id: first._id, org };
    return (await collectionOf(db, activityHistoryResource).countDocuments(one, { session, limit: 1 })) > 0;
  };
}

async function updateOriginals(db: Connection, session: ClientSession, { org, now, originals }: Plan): Promise<void> {
  const updates = originals.map(({ id, seenReturns, seenReturnedValue, seenStatus, ...set }) => ({
    q: {
      _id: id,
      org,
      status: seenStatus,
      returns: orMissing(seenReturns),
      returnedValue: orMissing(seenReturnedValue),
    },
    // The result shows the present status too, so that a query by it finds what is shown.
    u: { $set: { ...set, 'result.data.status': set.status, updatedAt: now } },
  }));
  const found = await updateAll(db, session, activityHistoryResource.path, updates);
  if (found !== updates.length) throw new GuardFailed('An activity was cancelled meanwhile');
}

function orMissing(seen: number) {
  return seen === 0 ? { $in: [0, null] } : seen;
}

async function updateCounters(db: Connection, session: ClientSession, { org, now, counters }: Plan): Promise<void> {
  const updates = counters.map(({ id, seen, used }) => ({
    // A missing counter counts as 0. When two processes insert it at once, the unique `_id` stops one of them.
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

/** Ends queued submissions: sets the final status, and for refused ones the errors. */
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
