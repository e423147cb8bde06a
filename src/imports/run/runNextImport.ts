import { ObjectId } from 'bson';
import { unavailable } from '../../common/errors';
import { collectionOf } from '../../db/collections';
import { isTemporary } from '../../db/isTemporary';
import { toServiceError } from '../../http/middleware';
import { deleteFile, releaseAbandoned } from '../file/receiveFile';
import { type Import, importResource } from '../import';
import { importLimits } from '../importLimits';
import type { ImportServices } from '../kinds/importKind';
import { own, RunEnded } from './recordRows';
import { type End, runImport } from './runImport';

/**
 * Runs the import that has waited longest, or goes on with one whose run is silent. A run that was killed is continued
 * from the last batch that it committed; after five runs without any progress an import has failed.
 * @param only the import to run; by default any
 * @returns false when no import waits
 */
export async function runNextImport(services: ImportServices, signal?: AbortSignal, only?: ObjectId): Promise<boolean> {
  if (!only) await releaseAbandoned(services);
  const job = await claim(services, only);
  if (!job) return false;
  const alive = setInterval(() => void tellAlive(services, job), importLimits.runAliveMs);
  try {
    const isGivenUp = job.attempts > importLimits.attemptsMax;
    const end: End = isGivenUp
      ? { status: 'Failed', error: `its process ended several times at row ${job.rows + 1}` }
      : await runImport(services, job, signal);
    await finish(services, job, end);
  } catch (error) {
    await giveUp(services, job, error);
  } finally {
    clearInterval(alive);
  }
  return true;
}

async function claim({ db, clock }: ImportServices, only: ObjectId | undefined): Promise<Import | undefined> {
  const now = clock.now();
  const silentSince = new Date(now.getTime() - importLimits.silentMaxMs);
  const waiting = { $or: [{ aliveAt: { $exists: false } }, { aliveAt: { $lt: silentSince } }] };
  const found = await collectionOf(db, importResource).findOneAndUpdate(
    { status: 'Running', ...waiting, ...(only ? { _id: only } : {}) },
    [
      {
        $set: {
          run: new ObjectId(),
          aliveAt: now,
          startedAt: { $ifNull: ['$startedAt', now] },
          attempts: { $add: ['$attempts', 1] },
        },
      },
    ],
    { sort: { _id: 1 }, returnDocument: 'after' },
  );
  return found ?? undefined;
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
  });
  if (matchedCount > 0) await deleteFile({ db }, job._id);
}

async function giveUp(services: ImportServices, job: Import, error: unknown): Promise<void> {
  const { db, log } = services;
  const isAway = isTemporary(error) || toServiceError(error).reason === 'unavailable';
  if (error instanceof RunEnded || isAway) {
    // Another process may go on at once. This attempt does not count.
    const back = { $unset: { aliveAt: '' as const, run: '' as const }, $inc: { attempts: -1 } };
    await collectionOf(db, importResource).updateOne(own(job), back);
    if (isAway) throw unavailable('The stores are away; the import goes on later');
    return;
  }
  log.error({ err: error, import: job._id }, 'import failed');
  const name = error instanceof Error ? error.name : 'unknown';
  await finish(services, job, { status: 'Failed', error: `${name} at row ${job.rows + 1} or later` });
}
