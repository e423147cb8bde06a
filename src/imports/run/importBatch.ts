import { ServiceError, validationError } from '../../common/errors';
import { splitRows } from '../../common/splitRows';
import { collectionOf } from '../../db/collections';
import { inTransaction, isTransient, withRetries } from '../../db/transaction';
import { failedRow, isOfRows } from '../../http/collection/rowAnswer';
import { type Import, importResource } from '../import';
import { DividedBatch, type ImportContext, type ImportKind, type Outcome, type PlannedRows } from '../kinds/importKind';
import { triedAfter, triedRows } from './dryRun';
import type { ReadyBatch } from './plannedBatches';
import { isRepeated, plannedRowsOf } from './plannedRowsOf';
import { own, RunEnded, recordRows } from './recordRows';
import type { NumberedRow } from './rowBatches';

/** Attempts of a row whose member other requests change too. A batch is divided sooner: fewer rows are stored faster. */
const attemptsMax = 12;
const dividedAfter = 4;

/** A batch took too long, or met too many conflicts. The store is there, or its own error would have been thrown. */
function isOfDivision(error: unknown): boolean {
  return error instanceof DividedBatch || isRefusedConflict(error);
}

/** A conflict that a route has met comes as its refusal. */
function isRefusedConflict(error: unknown): boolean {
  return error instanceof ServiceError && isTransient(error.cause);
}

/**
 * Imports a batch of rows: checks them unless they are, writes them and counts them in one transaction. When it fails
 * for one of its rows, it is divided.
 * @throws RunEnded; errors of a store that is away, after which the batch may be stored or not
 */
export async function importBatch(
  kind: ImportKind,
  job: Import,
  { context, rows: batch, planned }: ReadyBatch,
): Promise<void> {
  // What was planned ahead is for the first attempt. Others read again.
  let ready = planned;
  const attempt = async (rows: readonly NumberedRow[]) => {
    const plan = ready ?? (await kind.plan(context, plannedRowsOf(context, rows)));
    ready = undefined;
    return importRows(kind, context, job, rows, plan);
  };
  const attemptsOf = (rows: readonly unknown[]) => (rows.length > 1 ? dividedAfter : attemptsMax);
  const work = (rows: readonly NumberedRow[]) =>
    withRetries(() => attempt(rows), { attemptsMax: attemptsOf(rows), isWorthRetrying });
  await splitRows(batch, work, {
    isOfRows: (error) => isOfDivision(error) || (!(error instanceof RunEnded) && isOfRows(error)),
    failedAlone: async (error, row) => {
      if (isOfDivision(error)) throw error;
      const outcome = failedRow(error, row.value ?? {});
      context.services.log.warn({ import: job._id, row: row.n, error: outcome.reason }, 'a row could not be imported');
      await record(context, job, [row], [outcome]);
      return outcome;
    },
  });
}

function isWorthRetrying(error: unknown): boolean {
  return isTransient(error) || isRefusedConflict(error);
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
