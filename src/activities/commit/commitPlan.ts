import type { ClientSession, Connection } from 'mongoose';
import { collectionOf, insertAll, updateAll } from '#base/db/collections';
import type { Author } from '#base/db/records';
import { GuardFailed, type LookUp } from '#base/db/transaction';
import { commitLedger } from '#members/memberState/commitLedger';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { limitCounterResource } from '#records/activities/limitCounter';
import { submissionResource } from '#records/activities/submission';
import { issuedRewardResource } from '#records/offers/issuedReward';
import type { Plan } from './plan';
import { planEvents } from './planEvents';
import { recordRefused } from './recordRefused';
import { updateWindows } from './updateWindows';

/**
 * Writes a plan inside a transaction.
 * @throws GuardFailed when another commit changed a record that the plan depends on
 */
export async function commitPlan(db: Connection, session: ClientSession, plan: Plan): Promise<void> {
  const { histories } = plan;
  const author = planAuthor(plan);
  const restOfCommit = author && { author, activityhistories: histories.length, events: planEvents(plan) };
  await commitLedger(db, session, plan.changes, plan.now, restOfCommit);
  await insertAll(db, session, activityHistoryResource.path, histories);
  await updateOriginals(db, session, plan);
  await updateCounters(db, session, plan);
  if (plan.windows.length > 0) await updateWindows(db, session, plan);
  await writeIssued(db, session, plan);
  await deleteReplaced(db, session, plan);
  await insertAll(db, session, submissionResource.path, [...plan.submissions, ...plan.occasions]);
  await finishSubmissions(db, session, plan);
  await recordRefused(db, session, plan);
}

/** Who writes the records that belong to no single member. */
function planAuthor({ org, histories, refused }: Plan): Author | undefined {
  const userId = histories[0]?.createdBy ?? refused[0]?.author.userId;
  return userId && { org, userId };
}

/**
 * Makes the look-up that tells whether a plan was committed. One of its histories is enough to know, because a
 * transaction writes all or nothing. A plan without histories counts as not committed; committing it again is safe,
 * because its guards then fail.
 */
export function lookUpPlan(db: Connection, { org, histories: [first] }: Plan): LookUp {
  return async (session) => {
    if (!first) return false;
    const firstHistory = { _id: first._id, org };
    return (await collectionOf(db, activityHistoryResource).countDocuments(firstHistory, { session, limit: 1 })) > 0;
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
    // Answers show the status in `result` too, so a query by that field must find the new status.
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
  const inserted = issued.flatMap(({ seen, reward }) => (seen === undefined ? [reward] : []));
  await insertAll(db, session, issuedRewardResource.path, inserted);
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

async function deleteReplaced(db: Connection, session: ClientSession, { org, replaced }: Plan): Promise<void> {
  if (replaced.length === 0) return;
  const refused = { org, _id: { $in: [...replaced] }, status: 'Error' as const };
  const { deletedCount } = await collectionOf(db, submissionResource).deleteMany(refused, { session });
  if (deletedCount !== replaced.length) throw new GuardFailed('A refused submission was posted again meanwhile');
}

/** Ends queued submissions: sets the final status, and for refused ones the errors. */
async function finishSubmissions(db: Connection, session: ClientSession, plan: Plan): Promise<void> {
  const { org, now, finished, refused } = plan;
  const ends = [
    { ids: finished.Processed, set: { status: 'Processed' } },
    { ids: finished.Error, set: { status: 'Error' } },
    ...refused.map(({ id, errors }) => ({ ids: [id], set: { status: 'Error', outcome: { errors } } })),
  ].filter(({ ids }) => ids.length > 0);
  const updates = ends.map(({ ids, set }) => ({
    q: { _id: { $in: ids }, org, status: 'Queued' },
    u: { $set: { ...set, updatedAt: now }, $unset: { request: '' } },
    multi: true,
  }));
  const found = await updateAll(db, session, submissionResource.path, updates);
  if (found !== ends.reduce((sum, { ids }) => sum + ids.length, 0)) {
    throw new GuardFailed('A submission was processed meanwhile');
  }
}
