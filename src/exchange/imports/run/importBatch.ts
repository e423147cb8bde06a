import { setTimeout as sleep } from 'node:timers/promises';
import { elapsedMs } from '#base/common/clock';
import { ServiceError, unavailable, validationError } from '#base/common/errors';
import { bisectFailures } from '#base/common/lists/bisectFailures';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { own, RunEnded } from '#base/db/leases/claimedWork';
import { inTransaction, isTransient, isUnreachable, withRetries } from '#base/db/transaction';
import { failedRow, isOfRows } from '#platform/recordWrites/rowErrors';
import { type Import, importResource } from '../import';
import { importLimits } from '../importLimits';
import { DividedBatch, type ImportContext, type ImportKind, type Outcome, type PlannedRows } from '../kinds/importKind';
import type { BatchSize } from './batchSize';
import { triedAfter, triedRows } from './dryRun';
import type { ReadyBatch } from './plannedBatches';
import { isRepeated, plannedRows } from './plannedRows';
import { recordRows } from './recordRows';
import type { NumberedRow } from './rowBatches';
import { isOfStores, storeAnswers } from './storeAnswers';

/** Attempts of a row whose member other requests change too. A batch is divided sooner: fewer rows are stored faster. */
const attemptsMax = 12;
const dividedAfter = 4;

/** A conflict that a route has met comes as its refusal. */
function isRefusedConflict(error: unknown): boolean {
  return error instanceof ServiceError && isTransient(error.cause);
}

/**
 * Imports a batch of rows, so many in a transaction as the store takes at present. What runs out of time is halved; a
 * row that does so alone some times fails.
 * @throws RunEnded; errors of a store that is unavailable, after which rows may be stored or not
 */
export async function importBatch(
  kind: ImportKind,
  job: Import,
  { context, rows: batch, planned }: ReadyBatch,
  size: BatchSize,
): Promise<void> {
  let rest = batch;
  let tries = 0;
  const onDone = (last: NumberedRow) => {
    rest = rest.filter(({ n }) => n > last.n);
    tries = 0;
  };
  while (rest.length > 0) {
    const rows = rest.slice(0, size.current());
    const isWhole = rows.length === batch.length && tries === 0;
    try {
      await importPart(kind, job, { context, rows, ...(isWhole && planned ? { planned } : {}) }, onDone);
      size.wasWritten(rows.length);
    } catch (error) {
      if (isOfStores(error)) size.ranOutOfTime(rows.length);
      if (!(error instanceof DividedBatch)) throw error;
      size.ranOutOfTime(rows.length);
      tries += 1;
      const [first] = rest;
      if (rows.length > 1 || !first) continue;
      if (tries >= importLimits.rowTriesMax)
        await failRow(context, job, first, tookTooLong()).then(() => onDone(first));
      else await sleep(importLimits.rowPauseMs * tries);
    }
  }
}

function tookTooLong(): ServiceError {
  return unavailable(message('imports.rowNotInTime'));
}

/**
 * Imports rows: checks them unless they are, writes them and counts them in one transaction. When it fails for one of its
 * rows, they are divided.
 * @throws DividedBatch when they took too long, though the store is there
 */
async function importPart(
  kind: ImportKind,
  job: Import,
  { context, rows: part, planned }: ReadyBatch,
  onDone: (last: NumberedRow) => void,
): Promise<void> {
  // What was planned ahead is for the first attempt. Others read again.
  let ready = planned;
  const attempt = async (rows: readonly NumberedRow[]) => {
    const plan = ready ?? (await kind.plan(context, plannedRows(context, rows)));
    ready = undefined;
    return importRows(kind, context, job, rows, plan);
  };
  const work = async (rows: readonly NumberedRow[]) => {
    const attempts = rows.length > 1 ? dividedAfter : attemptsMax;
    const timed = () => dividedIfSlow(context, () => attempt(rows));
    const outcomes = await dividedIfStoreAnswers(context, () =>
      withRetries(timed, { attemptsMax: attempts, isWorthRetrying }),
    );
    for (const last of rows.slice(-1)) onDone(last);
    return outcomes;
  };
  await bisectFailures(part, work, {
    isOfRows: (error) =>
      isRefusedConflict(error) || (!(error instanceof RunEnded) && !(error instanceof DividedBatch) && isOfRows(error)),
    failedAlone: async (error, row) => {
      if (isRefusedConflict(error)) throw error;
      const outcome = await failRow(context, job, row, failedRow(error, row.value ?? {}));
      onDone(row);
      return outcome;
    },
  });
}

/** A conflict after a long time is likely a transaction that the store ended for its age: another attempt ends so too. */
async function dividedIfSlow<T>({ services }: ImportContext, attempt: () => Promise<T>): Promise<T> {
  const startedAt = elapsedMs();
  try {
    return await attempt();
  } catch (error) {
    const isSlow = elapsedMs() - startedAt > importLimits.routeWritesMs;
    if (isSlow && isWorthRetrying(error) && (await storeAnswers(services.db))) throw new DividedBatch();
    throw error;
  }
}

/** Work that fails though the store answers was too much at once. */
async function dividedIfStoreAnswers<T>({ services }: ImportContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const mayBeTooMuch = isOfStores(error) && !isRefusedConflict(error);
    if (mayBeTooMuch && (await storeAnswers(services.db))) throw new DividedBatch();
    throw error;
  }
}

async function failRow(context: ImportContext, job: Import, row: NumberedRow, outcome: ServiceError): Promise<Outcome> {
  context.services.log.warn({ import: job._id, row: row.n, error: outcome.reason }, 'a row could not be imported');
  await record(context, job, [row], [outcome]);
  return outcome;
}

/** A lost connection is not worth a retry of all rows: the caller tries fewer of them, or waits. */
function isWorthRetrying(error: unknown): boolean {
  return (isTransient(error) && !isUnreachable(error)) || isRefusedConflict(error);
}

async function importRows(
  kind: ImportKind,
  context: ImportContext,
  job: Import,
  rows: readonly NumberedRow[],
  planned: PlannedRows,
): Promise<Outcome[]> {
  const all = (outcomes: readonly Outcome[], repeated: ReadonlyMap<NumberedRow, Outcome> = new Map()) => {
    let next = 0;
    return rows.map((row): Outcome => {
      if (row.faults) return validationError([...row.faults]);
      const outcome = row.value ? (repeated.get(row) ?? outcomes[next++]) : validationError([]);
      return outcome ?? 'unchanged';
    });
  };
  if (context.job.dryRun) {
    const repeated = new Map<NumberedRow, Outcome>();
    const outcomes = await triedRows(context, planned);
    for (const row of rows) if (isRepeated(context, row)) repeated.set(row, await triedAfter(kind, context, row));
    return record(context, job, rows, all(outcomes, repeated));
  }
  return inRecordedTransaction(context, job, rows, async (session) =>
    all(planned.write ? await planned.write(session) : planned.outcomes),
  );
}

function record(
  context: ImportContext,
  job: Import,
  rows: readonly NumberedRow[],
  outcomes: Outcome[],
): Promise<Outcome[]> {
  return inRecordedTransaction(context, job, rows, async () => outcomes);
}

type Session = Parameters<NonNullable<PlannedRows['write']>>[0];

async function inRecordedTransaction(
  { services }: ImportContext,
  job: Import,
  rows: readonly NumberedRow[],
  write: (session: Session) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  const done = (rows.at(-1)?.n ?? -1) + 1;
  const isDone = async (session: Session) => {
    const filter = { ...own(job), rows: { $gte: done } };
    return (await collectionOf(services.db, importResource).findOne(filter, { session })) !== null;
  };
  const work = async (session: Session) => {
    const outcomes = await write(session);
    await recordRows(services, session, job, rows, outcomes);
    return outcomes;
  };
  return inTransaction(services.db, work, isDone);
}
