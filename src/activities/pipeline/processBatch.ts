import type { ObjectId } from 'bson';
import { commitPlan, lookUpPlan } from '#activities/commit/commitPlan';
import type { Plan } from '#activities/commit/plan';
import { isTooLarge, recordTooLarge } from '#activities/commit/recordTooLarge';
import { decideBatch } from '#activities/decide/decideBatch';
import { loadContext } from '#activities/load/loadContext';
import { loadHistories } from '#activities/load/loadEarlier';
import type { BatchContext } from '#activities/state/batchContext';
import type { Outcome, PipelineRequest } from '#activities/state/pipelineRequest';
import { elapsedMs } from '#base/common/clock';
import { ServiceError, unavailable } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { isTemporary } from '#base/db/isTemporary';
import { timeouts } from '#base/db/timeouts';
import { hasLostRace, inTransaction, isDuplicateKey, isTooSlow, isTransient, withRetries } from '#base/db/transaction';
import { failureName, inSpan, type StartedSpan, type Tracer } from '#base/tracing/tracer';
import type { Evaluator } from '#engine/rules/evaluate/evaluator';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { ProgramCatalogs } from '#programs/programs/programCatalogs';
import { startBatchSpan } from './activitySpan';
import type { BatchTurn } from './batchTurns';
import { countOutcomes } from './outcomeMetrics';
import { batchSize, commitDuration, commitRetries, countConflict } from './pipelineMetrics';
import type { RecordRead } from './recordLeases';

/** The services that processing a batch needs. */
export interface BatchServices
  extends Pick<Infrastructure, 'db' | 'resources' | 'clock' | 'extDefinitions' | 'ruleSets'> {
  programCatalogs: ProgramCatalogs;
  evaluator: Evaluator;
  tracer?: Tracer | undefined;
  openTurn(): BatchTurn;
}

/**
 * Processes requests of one org: loads, decides and commits them in one transaction. When another commit changed a
 * record in the meantime, it reads and decides again. It splits a batch that keeps failing, so that one bad request
 * does not fail the others. Every attempt uses the same history id for a request. No attempt follows a commit that may
 * have taken effect.
 * @returns for each request its durable outcome, or the error to answer
 */
export async function processBatch(
  services: BatchServices,
  org: ObjectId,
  requests: readonly PipelineRequest[],
  endsAt = deadline(requests),
): Promise<(Outcome | Error)[]> {
  if (elapsedMs() >= endsAt) return requests.map(() => tooLate());
  const turn = services.openTurn();
  const span = startBatchSpan(requests);
  let failure: string | undefined;
  try {
    let attempts = 0;
    const attempt = () => {
      if (attempts > 0) commitRetries.inc();
      attempts += 1;
      return attemptBatch(services, org, requests, { turn, span, isRetry: attempts > 1 });
    };
    return await withRetries(attempt, {
      now: () => services.clock.now().getTime(),
      endsAt,
      // After a duplicate key, reading again finds what another process committed for the same request.
      isWorthRetrying: hasLostRace,
    });
  } catch (error) {
    failure = failureName(error);
    if (requests.length === 1 || failsForAll(error)) return requests.map(() => asError(error));
  } finally {
    span?.end(failure);
    await turn.end();
  }
  return splitBatch(services, org, requests, endsAt);
}

/**
 * The instant after which no attempt begins: when the last client stops waiting, or for requests of the inbox after
 * `batchMs`.
 */
function deadline(requests: readonly PipelineRequest[]): number {
  const latest = elapsedMs() + timeouts.batchMs;
  return requests.reduce((end, request) => Math.max(end, request.endsAt ?? latest), 0);
}

/** True when splitting the batch cannot help: each request alone would fail too, or must not be tried again. */
function failsForAll(error: unknown): boolean {
  return isTemporary(error) && !isTransient(error) && !isTooSlow(error);
}

function tooLate(): Error {
  return unavailable(message('activities.notInTime'));
}

async function attemptBatch(
  services: BatchServices,
  org: ObjectId,
  requests: readonly PipelineRequest[],
  { turn, span, isRetry }: { turn: BatchTurn; span: StartedSpan | undefined; isRetry: boolean },
): Promise<(Outcome | Error)[]> {
  const load = (versionsRead?: PipelineRequest['versions'][]) =>
    inSpan(span, 'load', () => loadContext(services, org, requests, { versionsRead, readCounters: turn.readCounters }));
  let context = await load(requests.map(({ versions }) => versions));
  if (await turn.takeMembers(memberVersions(context))) context = await load();
  await loadFinished(services, context, isRetry ? requests : requests.filter(({ isRepeated }) => isRepeated));
  const { outcomes, plan } = await inSpan(span, 'decide', () => decideBatch(context, requests));
  if (plan) {
    turn.notePlan(plan);
    try {
      await inSpan(span, 'commit', () => commit(services, plan));
    } catch (error) {
      if (hasLostRace(error)) turn.noteConflict(plan, memberVersions(context));
      throw error;
    }
  }
  countOutcomes(context, { requests, outcomes, histories: plan?.histories ?? [] });
  return outcomes;
}

/**
 * Reads the histories of those requests that another process may have committed. It must read them after the members:
 * who sees the effect of a request then also sees its history.
 */
async function loadFinished({ db }: BatchServices, context: BatchContext, requests: readonly PipelineRequest[]) {
  const ids = requests.map(({ historyId }) => historyId);
  for (const history of await loadHistories(db, context.org, ids)) {
    context.histories.set(history._id.toHexString(), history);
  }
}

function memberVersions({ members }: BatchContext): RecordRead[] {
  return [...members.values()].map(({ doc: { _id, version } }) => ({ _id, version }));
}

async function commit({ db }: BatchServices, plan: Plan): Promise<void> {
  const startedAt = elapsedMs();
  batchSize.observe(plan.histories.length);
  try {
    await inTransaction(db, (session) => commitPlan(db, session, plan), lookUpPlan(db, plan));
  } catch (error) {
    if (hasLostRace(error)) countConflict(error);
    throw error;
  } finally {
    commitDuration.observe((elapsedMs() - startedAt) / 1000);
  }
}

/** Evaluates one request and returns its outcome, but writes nothing (`persist=false`). */
export async function tryActivity(
  services: Omit<BatchServices, 'openTurn'>,
  request: PipelineRequest,
  asOf: Date,
): Promise<Outcome> {
  const context = await loadContext(services, request.author.org, [request], { asOf });
  const { outcomes } = await decideBatch(context, [request]);
  const [outcome] = outcomes;
  if (outcome === undefined || outcome instanceof Error) throw outcome;
  const { result } = outcome;
  return { ...outcome, result: { ...result, data: { ...result.data, activityId: null } } };
}

/** Processes the halves one after the other. A request that stays queued blocks later requests of its partition. */
async function splitBatch(
  services: BatchServices,
  org: ObjectId,
  requests: readonly PipelineRequest[],
  endsAt: number,
): Promise<(Outcome | Error)[]> {
  const middle = Math.ceil(requests.length / 2);
  const [head, tail] = [requests.slice(0, middle), requests.slice(middle)];
  const first = await processBatch(services, org, head, endsAt);
  const partitions = blockedPartitions(head, first);
  const free = tail.filter(({ partition }) => partition === undefined || !partitions.has(partition));
  const second = free.length === 0 ? [] : await processBatch(services, org, free, endsAt);
  const results = new Map(free.map((request, index) => [request, second[index]]));
  return [...first, ...tail.map((request) => results.get(request) ?? tooLate())];
}

/**
 * The partitions of requests that stay queued. Later requests of these partitions must not be processed before them.
 */
export function blockedPartitions(
  requests: readonly PipelineRequest[],
  results: readonly (Outcome | Error)[],
): ReadonlySet<number> {
  const blocked = new Set<number>();
  for (const [index, { partition }] of requests.entries()) {
    if (partition !== undefined && isLeftQueued(results[index])) blocked.add(partition);
  }
  return blocked;
}

/**
 * Tells whether the error leaves a queued submission in the queue and does not count as one of its attempts: the cause
 * is not the activity. A query that takes too long counts as an attempt, because it would take too long again. So does
 * a duplicate key that stayed through all retries: no other process has committed the request, so its own writes
 * collide.
 */
export function isLeftQueued(result: Outcome | Error | undefined): boolean {
  if (result instanceof ServiceError) return result.reason === 'unavailable' && !isDuplicateKey(result.cause);
  return isTemporary(result) && !isTooSlow(result);
}

function asError(error: unknown): Error {
  if (isTooLarge(error)) return recordTooLarge();
  return error instanceof Error ? error : new Error(String(error));
}
