import type { ObjectId } from 'bson';
import { inTransaction, isDuplicateKey, isTransient, isUnreachable, withRetries } from '../db/transaction';
import type { Services } from '../services';
import { commitPlan } from './commitPlan';
import { decideBatch } from './decideBatch';
import { loadContext } from './loadContext';
import type { Outcome, Work } from './work';

type BatchServices = Pick<Services, 'db' | 'clock' | 'ruleSets' | 'evaluator'>;

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
  try {
    return await withRetries(() => attemptBatch(services, org, works), {
      now: () => services.clock.now().getTime(),
      // A duplicate key is another process's commit of the same work: reading again finds it.
      isWorthRetrying: (error) => isTransient(error) || isDuplicateKey(error),
    });
  } catch (error) {
    if (works.length === 1 || isUnreachable(error)) return works.map(() => asError(error));
    return splitBatch(services, org, works);
  }
}

async function attemptBatch(
  services: BatchServices,
  org: ObjectId,
  works: readonly Work[],
): Promise<(Outcome | Error)[]> {
  const now = services.clock.now();
  const context = await loadContext(services, org, works, now);
  const { outcomes, plan } = await decideBatch(context, works);
  if (plan) await inTransaction(services.db, (session) => commitPlan(services.db, session, plan));
  return outcomes;
}

/** Evaluates one work and answers it, writing nothing at all (`persist=false`). */
export async function tryActivity(services: BatchServices, work: Work, now: Date): Promise<Outcome> {
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

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
