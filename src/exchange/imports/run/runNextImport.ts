import { ServiceError } from '#base/common/errors';
import { errorMessage } from '#base/common/failure';
import { type Message, message, pickMessage } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { createClaimedRuns, type GoesBack, type Job, type NextOptions } from '#base/db/leases/claimedRuns';
import { RunEnded } from '#base/db/leases/claimedWork';
import { toServiceError } from '#base/db/toServiceError';
import { deleteFile, releaseAbandoned } from '../file/receiveFile';
import { type Import, importResource } from '../import';
import { importLimits } from '../importLimits';
import type { ImportServices } from '../kinds/importKind';
import type { BatchSize } from './batchSize';
import { GivesWay } from './recordRows';
import { type End, failedImport, importBatchSize, runImport } from './runImport';
import { isOfStores } from './storeAnswers';

/** The imports that this process runs. */
const importRuns = createClaimedRuns({
  ...importLimits,
  path: importResource.path,
  read: (db, own) => collectionOf(db, importResource).findOne(own),
  statuses: ['Running'],
  returnedStatus: 'Running',
});

/**
 * Runs the next import, or continues one with a silent run. A run that was killed is continued from the last batch that
 * it committed; after five processes that ended without any progress an import has failed. While others wait, it yields
 * after some time, unless it is the `only` one.
 * @returns false when no import waits
 */
export async function runNextImport(
  services: ImportServices,
  signal?: AbortSignal,
  options: NextOptions = {},
): Promise<boolean> {
  if (!options.only) await releaseAbandoned(services);
  return importRuns.runNext(services, importJob(services, signal, options.only !== undefined), options);
}

function importJob(services: ImportServices, signal: AbortSignal | undefined, isAlone: boolean): Job<Import> {
  let size: BatchSize | undefined;
  return {
    async work(job, newTurn) {
      size = importBatchSize(job);
      const end = await runImport(services, job, { signal, size, ...(isAlone ? {} : { givesWay: newTurn() }) });
      return end.status === 'Done' ? { ...end, bytesRead: job.bytes } : end;
    },
    givenUp: ({ rows }) => failedImport(message('imports.processEnded', { row: rows + 1 })),
    failed(job, error) {
      const outcome = judgeImportFailure(services, job, error);
      return 'back' in outcome && size ? { back: { batchRows: size.current(), ...outcome.back } } : outcome;
    },
    ended: (job) => deleteFile(services, job),
  };
}

/** Whether an import continues later, and when, or has failed. */
function judgeImportFailure({ log, clock }: ImportServices, job: Import, error: unknown): End | GoesBack {
  if (error instanceof GivesWay) return waitingFor(message('imports.othersTurn'), clock.now());
  if (error instanceof RunEnded) return { back: {} };
  if (isOfStores(error)) {
    const nextTryAt = new Date(clock.now().getTime() + importLimits.retryMs);
    const reason = error instanceof ServiceError ? pickMessage(error) : message('imports.storesAway');
    log.warn({ import: job._id, error: toServiceError(error).message, rows: job.rows }, 'an import waits');
    return waitingFor(reason, nextTryAt);
  }
  log.error({ err: error, import: job._id }, 'import failed');
  return failedImport(message('imports.failedAtRow', { error: errorMessage(error), row: job.rows + 1 }));
}

function waitingFor({ message: reason, ...key }: Message, nextTryAt: Date): GoesBack {
  return { back: { waiting: { reason: reason.slice(0, 200), ...key, nextTryAt } } };
}
