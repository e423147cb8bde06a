import type { ClientSession } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { collectionOf, insertAll } from '#base/db/collections';
import { own, RunEnded } from '#base/db/leases/claimedWork';
import { isAlive } from '#base/db/leases/lease';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { toMachineClock } from '#platform/orgs/orgClock';
import { buildImportError, importErrorResource } from '#records/imports/importError';
import { type Import, importResource } from '../import';
import { importedRow } from '../importedRow';
import { importLimits } from '../importLimits';
import type { Outcome } from '../kinds/importKind';
import type { NumberedRow } from './rowBatches';

/** Thrown to end a run that has had its turn. */
export class GivesWay extends RunEnded {}

/**
 * Counts the rows of a batch and stores the failed ones, in the transaction that writes the batch.
 * @throws RunEnded when the import does not belong to this run any more; then nothing of the batch may be committed
 */
export async function recordRows(
  { db, clock }: Pick<Infrastructure, 'db' | 'clock'>,
  session: ClientSession,
  job: Import,
  rows: readonly NumberedRow[],
  outcomes: readonly Outcome[],
): Promise<void> {
  // Records of imports have the time of the machine, also in an org with its own clock.
  const now = toMachineClock(clock).now();
  const count = (of: Outcome) => outcomes.filter((outcome) => outcome === of).length;
  const failed = rows.flatMap((row, index) => {
    const outcome = outcomes[index];
    return outcome instanceof ServiceError ? [failedRow(job, row, outcome, now)] : [];
  });
  const [created, updated, unchanged] = [count('created'), count('updated'), count('unchanged')];
  const inc = {
    rows: rows.length,
    created,
    updated,
    unchanged,
    failed: failed.length,
    warned: rows.filter(({ repeats }) => repeats).length,
  };
  const done = {
    bytesRead: Math.min(job.bytes, rows.at(-1)?.end ?? 0),
    updatedAt: now,
    attempts: 0,
    lostRuns: [],
  };
  const { matchedCount } = await collectionOf(db, importResource).updateOne(
    { ...own(job), rows: rows[0]?.n ?? 0 },
    { ...isAlive, $inc: inc, $set: done, $unset: { waiting: '' as const }, ...repeatWarnings(rows) },
    { session },
  );
  if (matchedCount === 0) throw new RunEnded();
  await insertAll(db, session, importErrorResource.path, failed);
}

/** The warnings of rows with a key that occurs twice in the file. */
function repeatWarnings(rows: readonly NumberedRow[]) {
  const warnings = rows.flatMap(({ line, repeats }) =>
    repeats ? [{ line, earlier: repeats.line, key: repeats.key.slice(0, 255) }] : [],
  );
  if (warnings.length === 0) return {};
  return { $push: { warnings: { $each: warnings, $slice: importLimits.warningsMax } } };
}

function failedRow(job: Import, row: NumberedRow, { code, message, details }: ServiceError, now: Date) {
  const author = { org: job.org, userId: job.createdBy };
  return buildImportError(author, now, importedRow(job, row), [{ code, message, errors: details.errors }]);
}
