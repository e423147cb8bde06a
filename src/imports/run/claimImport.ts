import { ObjectId } from 'bson';
import { collectionOf } from '../../db/collections';
import { type Import, importResource } from '../import';
import { importLimits } from '../importLimits';
import type { ImportServices } from '../kinds/importKind';

/** The runs of this process, and those that it could not give back because the store was away: it still lives. */
const runsHere = new Map<string, ObjectId>();
const toGiveBack = new Map<string, Taken>();

interface Taken extends Pick<Import, '_id' | 'org'> {
  run: ObjectId | undefined;
  batchRows: number;
  waiting?: Import['waiting'];
}

type ClaimServices = Pick<ImportServices, 'db' | 'clock'>;

/** What decides whose turn it is. */
export type Open = Pick<Import, '_id' | 'org' | 'run' | 'aliveAt' | 'takenAt' | 'waiting'>;

/**
 * The imports that wait, the one whose turn it is first: that of an org of which the fewest run, and of these the one that
 * was taken longest ago, or never.
 */
export function inFairOrder(open: readonly Open[], now: Date): Open[] {
  const isRunning = ({ aliveAt }: Open) =>
    aliveAt !== undefined && aliveAt.getTime() >= now.getTime() - importLimits.silentMaxMs;
  const running = new Map<string, number>();
  for (const each of open.filter(isRunning)) running.set(each.org.toHexString(), runningOf(running, each) + 1);
  const mayBegin = (each: Open) => !isRunning(each) && !(each.waiting && each.waiting.nextTryAt > now);
  return open
    .filter(mayBegin)
    .sort(
      (one, other) =>
        runningOf(running, one) - runningOf(running, other) ||
        (one.takenAt?.getTime() ?? 0) - (other.takenAt?.getTime() ?? 0) ||
        one._id.toHexString().localeCompare(other._id.toHexString()),
    );
}

function runningOf(running: ReadonlyMap<string, number>, { org }: Open): number {
  return running.get(org.toHexString()) ?? 0;
}

/** The most imports among which the next one is chosen. */
const chosenAmong = 1000;

async function waitingImports({ db, clock }: ClaimServices, only?: ObjectId): Promise<Open[]> {
  const open = await collectionOf(db, importResource)
    .find({ status: 'Running', ...(only ? { _id: only } : {}) })
    .project<Open>({ org: 1, run: 1, aliveAt: 1, takenAt: 1, waiting: 1 })
    .sort({ _id: 1 })
    .limit(chosenAmong)
    .toArray();
  // A run of this process whose signs of life do not arrive has not ended.
  return inFairOrder(open, clock.now()).filter(({ run }) => !run || !runsHere.has(run.toHexString()));
}

/** Tells whether an import waits that this process cannot take, because it runs as many as it may. */
export async function othersWait(services: ClaimServices): Promise<boolean> {
  return runsHere.size >= importLimits.atOnce && (await waitingImports(services)).length > 0;
}

/** Takes the import whose turn it is. A silent run is taken over; only then a process has ended. */
export async function claimImport(services: ClaimServices, only?: ObjectId): Promise<Import | undefined> {
  for (const taken of toGiveBack.values()) await giveBack(services, taken);
  for (const waiting of await waitingImports(services, only)) {
    const job = await take(services, waiting);
    if (job) return job;
  }
  return undefined;
}

async function take({ db, clock }: ClaimServices, { _id, run: before }: Open): Promise<Import | undefined> {
  const now = clock.now();
  const silentSince = new Date(now.getTime() - importLimits.silentMaxMs);
  const run = new ObjectId();
  const lost = {
    $cond: [{ $eq: [{ $type: '$aliveAt' }, 'missing'] }, [], [{ $ifNull: ['$run', run] }]],
  };
  const lostRuns = { $concatArrays: [{ $ifNull: ['$lostRuns', []] }, lost] };
  const found = await collectionOf(db, importResource).findOneAndUpdate(
    {
      ...{ _id, status: 'Running', run: before ?? { $exists: false } },
      $or: [{ aliveAt: { $exists: false } }, { aliveAt: { $lt: silentSince } }],
    },
    [
      {
        $set: {
          ...{ run, aliveAt: now, takenAt: now, startedAt: { $ifNull: ['$startedAt', now] } },
          ...{ attempts: { $add: ['$attempts', { $size: lost }] }, lostRuns },
        },
      },
    ],
    { returnDocument: 'after' },
  );
  if (found) runsHere.set(run.toHexString(), run);
  return found ?? undefined;
}

/** Ends a run of this process that has ended its import. */
export function forgetRun({ run }: Pick<Import, 'run'>): void {
  if (run) runsHere.delete(run.toHexString());
}

/**
 * Lets any process go on with an import. When the store cannot be told now, it is told later. A process that took over
 * meanwhile did so because this one was silent; but it did not end, so this is no attempt that failed.
 */
export async function giveBack({ db }: Pick<ImportServices, 'db'>, taken: Taken): Promise<void> {
  const { _id, org, run, batchRows, waiting } = taken;
  if (!run) return;
  const key = run.toHexString();
  const imports = collectionOf(db, importResource);
  toGiveBack.set(key, taken);
  runsHere.delete(key);
  try {
    const { matchedCount } = await imports.updateOne(
      { _id, org, run, status: 'Running' },
      { $unset: { aliveAt: '', run: '' }, $set: { batchRows, ...(waiting ? { waiting } : {}) } },
    );
    if (matchedCount === 0) {
      await imports.updateOne({ _id, org, lostRuns: run }, { $pull: { lostRuns: run }, $inc: { attempts: -1 } });
    }
    toGiveBack.delete(key);
  } catch {
    // The next look for work tells it.
  }
}
