import type { ObjectId } from 'bson';
import { ServiceError } from '#base/common/errors';
import { type Message, message, pickMessage } from '#base/common/messages/message';
import { type ClaimServices, createClaimedRuns, createTurn } from '#base/db/claimedRuns';
import { collectionOf } from '#base/db/collections';
import { toServiceError } from '#platform/http/middleware';
import { deleteFile, releaseAbandoned } from '../file/receiveFile';
import { type Import, importResource } from '../import';
import { importLimits } from '../importLimits';
import type { ImportServices } from '../kinds/importKind';
import type { BatchSize } from './batchSize';
import { GivesWay, own, RunEnded } from './recordRows';
import { batchSizeOf, type End, runImport } from './runImport';
import { isOfStores } from './storeAnswers';

/** The imports that this process runs. */
const importRuns = createClaimedRuns({
  collection: (db) => db.collection(importResource.path),
  statuses: ['Running'],
  backStatus: 'Running',
  silentMaxMs: importLimits.silentMaxMs,
  atOnce: importLimits.atOnce,
});

/** Takes the import whose turn it is. */
async function claimImport(services: ClaimServices, only?: ObjectId): Promise<Import | undefined> {
  const claimed = await importRuns.claim(services, only);
  if (!claimed?.run) return undefined;
  const { _id, org, run } = claimed;
  const job = await collectionOf(services.db, importResource).findOne({ _id, org, run });
  // It was deleted, or stopped, meanwhile.
  if (!job) importRuns.forget(claimed);
  return job ?? undefined;
}

/**
 * Runs the import whose turn it is, or continues with one whose run is silent. A run that was killed is continued from
 * the last batch that it committed; after five processes that ended without any progress an import has failed. While
 * others wait, it yields after some time.
 * @param only the import to run; by default any
 * @param elapsed reads the time of its turn; only tests that cannot wait as long give their own
 * @returns false when no import waits
 */
export async function runNextImport(
  services: ImportServices,
  signal?: AbortSignal,
  only?: ObjectId,
  elapsed?: () => number,
): Promise<boolean> {
  if (!only) await releaseAbandoned(services);
  const job = await claimImport(services, only);
  if (!job) return false;
  const alive = setInterval(() => void importRuns.tellAlive(services, job), importLimits.runAliveMs);
  const size = batchSizeOf(job);
  const givesWay = createTurn(importLimits.turn, () => importRuns.othersWait(services), elapsed);
  try {
    const isLastAttempt = job.attempts >= importLimits.attemptsMax;
    const end: End = isLastAttempt
      ? { status: 'Failed', error: `its process ended several times at row ${job.rows + 1}` }
      : await runImport(services, job, { signal, size, ...(only ? {} : { givesWay }) });
    await finish(services, job, end);
    importRuns.forget(job);
  } catch (error) {
    await giveUp(services, job, size, error);
  } finally {
    clearInterval(alive);
  }
  return true;
}

async function finish({ db, clock }: ImportServices, job: Import, end: End): Promise<void> {
  const now = clock.now();
  const read = end.status === 'Done' ? { bytesRead: job.bytes } : {};
  const { matchedCount } = await collectionOf(db, importResource).updateOne(own(job), {
    $set: { ...end, ...read, finishedAt: now, updatedAt: now },
    $unset: { waiting: '' },
  });
  if (matchedCount > 0) await deleteFile({ db }, job._id);
}

async function giveUp(services: ImportServices, job: Import, size: BatchSize, error: unknown): Promise<void> {
  const { log, clock } = services;
  const { _id, org, run } = job;
  const back = (waiting?: Import['waiting']) =>
    importRuns.giveBack(services, {
      _id,
      org,
      run,
      set: { batchRows: size.current(), ...(waiting ? { waiting } : {}) },
    });
  if (error instanceof GivesWay) return back(waitingFor(message('imports.othersTurn'), clock.now()));
  if (error instanceof RunEnded) return back();
  if (isOfStores(error)) {
    const nextTryAt = new Date(clock.now().getTime() + importLimits.retryMs);
    const reason = error instanceof ServiceError ? pickMessage(error) : message('imports.storesAway');
    log.warn({ import: job._id, error: toServiceError(error).message, rows: job.rows }, 'an import waits');
    return back(waitingFor(reason, nextTryAt));
  }
  log.error({ err: error, import: job._id }, 'import failed');
  const name = error instanceof Error ? error.name : 'unknown';
  await finish(services, job, { status: 'Failed', error: `${name} at row ${job.rows + 1} or later` });
  importRuns.forget(job);
}

function waitingFor({ message: reason, ...key }: Message, nextTryAt: Date): Import['waiting'] {
  return { reason: reason.slice(0, 200), ...key, nextTryAt };
}
