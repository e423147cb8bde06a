import type { ObjectId } from 'bson';
import { elapsedMs } from '../../common/clock';
import { ServiceError } from '../../common/errors';
import { collectionOf } from '../../db/collections';
import { toServiceError } from '../../http/middleware';
import { deleteFile, releaseAbandoned } from '../file/receiveFile';
import { type Import, importResource } from '../import';
import { importLimits } from '../importLimits';
import type { ImportServices } from '../kinds/importKind';
import type { BatchSize } from './batchSize';
import { claimImport, forgetRun, giveBack, othersWait } from './claimImport';
import { own, RunEnded } from './recordRows';
import { batchSizeOf, type End, runImport } from './runImport';
import { isOfStores } from './storeAnswers';

/**
 * Runs the import whose turn it is, or goes on with one whose run is silent. A run that was killed is continued from the
 * last batch that it committed; after five processes that ended without any progress an import has failed. While others
 * wait, it gives way after some time.
 * @param only the import to run; by default any
 * @returns false when no import waits
 */
export async function runNextImport(services: ImportServices, signal?: AbortSignal, only?: ObjectId): Promise<boolean> {
  if (!only) await releaseAbandoned(services);
  const job = await claimImport(services, only);
  if (!job) return false;
  const alive = setInterval(() => void tellAlive(services, job), importLimits.runAliveMs);
  const size = batchSizeOf(job);
  try {
    const isGivenUp = job.attempts >= importLimits.attemptsMax;
    const end: End = isGivenUp
      ? { status: 'Failed', error: `its process ended several times at row ${job.rows + 1}` }
      : await runImport(services, job, { signal, size, ...(only ? {} : { givesWay: createTurn(services) }) });
    await finish(services, job, end);
    forgetRun(job);
  } catch (error) {
    await giveUp(services, job, size, error);
  } finally {
    clearInterval(alive);
  }
  return true;
}

/** Makes the question whether a run gives way. It is asked for the first time when the first batch is written. */
function createTurn(services: ImportServices): () => Promise<boolean> {
  const startedAt = elapsedMs();
  let endsAt: number | undefined;
  return async () => {
    const now = elapsedMs();
    endsAt ??= startedAt + Math.max(importLimits.turnMs, (now - startedAt) * importLimits.turnPerSkipped);
    return now >= endsAt && (await othersWait(services));
  };
}

async function tellAlive({ db, clock }: ImportServices, job: Import): Promise<void> {
  await collectionOf(db, importResource)
    .updateOne(own(job), { $set: { aliveAt: clock.now() } })
    .catch(() => undefined);
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
  const back = { _id: job._id, org: job.org, run: job.run, batchRows: size.current() };
  if (error instanceof RunEnded) return giveBack(services, back);
  if (isOfStores(error)) {
    const nextTryAt = new Date(clock.now().getTime() + importLimits.retryMs);
    const reason = error instanceof ServiceError ? error.message : awayMessage;
    log.warn({ import: job._id, error: toServiceError(error).message, rows: job.rows }, 'an import waits');
    return giveBack(services, { ...back, waiting: { reason: reason.slice(0, 200), nextTryAt } });
  }
  log.error({ err: error, import: job._id }, 'import failed');
  const name = error instanceof Error ? error.name : 'unknown';
  await finish(services, job, { status: 'Failed', error: `${name} at row ${job.rows + 1} or later` });
  forgetRun(job);
}

const awayMessage = 'The stores are away; the import goes on later';
