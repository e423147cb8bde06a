import { isNativeError } from 'node:util/types';
import type { ObjectId } from 'bson';
import { mongo } from 'mongoose';
import { inTransaction, isDuplicateKey, isTransient, isUnreachable, withRetries } from '../db/transaction';
import { ServiceError } from '../errors';
import type { Services } from '../services';
import { commitPlan } from './commitPlan';
import { decideBatch } from './decideBatch';
import { loadContext } from './loadContext';
import type { Turn } from './turns';
import type { Outcome, Work } from './work';

/** What processing a batch needs. */
export interface BatchServices
  extends Pick<
    Services,
    'db' | 'resources' | 'extDefinitions' | 'clock' | 'ruleSets' | 'programCatalogs' | 'evaluator'
  > {
  openTurn(): Turn;
}

/**
 * Processes works of one org: load, decide, commit in one transaction. What another commit changed meanwhile is read
 * and decided again; a batch that keeps failing is split, so one bad work never fails its neighbours.
 * @returns for each work its outcome, durable, or the error it is answered with
 */
export async function processBatch(
  services: BatchServices,
  org: ObjectId,
  works: readonly Work[],
): Promise<(Outcome | Error)[]> {
  const turn = services.openTurn();
  try {
    return await withRetries(() => attemptBatch(services, org, works, turn), {
      now: () => services.clock.now().getTime(),
      isWorthRetrying,
    });
  } catch (error) {
    if (works.length === 1 || isUnreachable(error)) return works.map(() => asError(error));
  } finally {
    await turn.end();
  }
  return splitBatch(services, org, works);
}

/** A duplicate key is another process's commit of the same work: reading again finds it. */
function isWorthRetrying(error: unknown): boolean {
  return isTransient(error) || isDuplicateKey(error);
}

async function attemptBatch(
  services: BatchServices,
  org: ObjectId,
  works: readonly Work[],
  turn: Turn,
): Promise<(Outcome | Error)[]> {
  let now = services.clock.now();
  const versionsRead = works.map(({ versions }) => versions);
  let context = await loadContext(services, org, works, now, versionsRead);
  const members = [...context.members.values()].map(({ doc }) => doc._id);
  if (await turn.take(members)) {
    now = services.clock.now();
    context = await loadContext(services, org, works, now);
  }
  const { outcomes, plan } = await decideBatch(context, works);
  if (!plan) return outcomes;
  try {
    await inTransaction(services.db, (session) => commitPlan(services.db, session, plan));
  } catch (error) {
    if (isWorthRetrying(error)) turn.noteConflict(members);
    throw error;
  }
  return outcomes;
}

/** Evaluates one work and answers it, writing nothing at all (`persist=false`). */
export async function tryActivity(services: Omit<BatchServices, 'openTurn'>, work: Work, now: Date): Promise<Outcome> {
  const context = await loadContext(services, work.author.org, [work], now);
  const { outcomes } = await decideBatch(context, [work]);
  const [outcome] = outcomes;
  if (outcome === undefined || outcome instanceof Error) throw outcome;
  const { result } = outcome;
  return { ...outcome, result: { ...result, data: { ...result.data, activityId: null } } };
}

async function splitBatch(
  services: BatchServices,
  org: ObjectId,
  works: readonly Work[],
): Promise<(Outcome | Error)[]> {
  const middle = Math.ceil(works.length / 2);
  const first = await processBatch(services, org, works.slice(0, middle));
  return [...first, ...(await processBatch(services, org, works.slice(middle)))];
}

/** One record beyond 16 MB: the driver has no room for it, or the server refuses it. */
function isTooLarge(error: unknown): boolean {
  if (error instanceof mongo.MongoServerError) return error.code === 10334;
  // A stack that overflows is a RangeError too, and a fault of ours.
  return isNativeError(error) && error.name === 'RangeError' && !error.message.includes('call stack');
}

function asError(error: unknown): Error {
  if (isTooLarge(error)) {
    return new ServiceError('tooLarge', 'The activity with what it names and what rules recorded is larger than 16 MB');
  }
  return error instanceof Error ? error : new Error(String(error));
}
