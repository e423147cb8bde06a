import { Timestamp } from 'bson';
import type { Backing } from '../../backing/backing';
import { elapsedMs } from '../../common/clock';
import { ServiceError } from '../../common/errors';
import { collectionOf } from '../../db/collections';
import type { Queues } from '../../queues/queues';
import { type Submission, submissionResource } from '../../records/activities/submission';
import type { Pipeline } from '../pipeline/pipeline';
import { isLeftQueued } from '../pipeline/processBatch';
import type { PipelineRequest } from '../state/pipelineRequest';
import type { StoredRequest } from './acceptSubmissions';
import { leasePartitions } from './leasePartitions';

/** How often a submission that fails for reasons of ours is tried before it ends in Error. */
export const attemptsMax = 5;

type DrainServices = Pick<Backing, 'db' | 'clock' | 'log' | 'config'> & { pipeline: Pipeline; queues: Queues };

/** Works off queued submissions, one partition after the other in the order of acceptance. */
export interface InboxDrain {
  /** Processes until nothing of this worker's partitions is queued; overlapping calls share one run. */
  drain(): Promise<{ processed: number }>;
  /** Ends after the page in hand and gives the partitions up. */
  close(): Promise<void>;
}

/** Makes the drain of a worker process. */
export function createInboxDrain(services: DrainServices): InboxDrain {
  const partitions = leasePartitions(services.db);
  let running: Promise<{ processed: number }> | undefined;
  let isClosed = false;
  return {
    drain() {
      if (isClosed) return Promise.resolve({ processed: 0 });
      running ??= drainPartitions(services, partitions.current, () => isClosed).finally(() => {
        running = undefined;
      });
      return running;
    },
    async close() {
      isClosed = true;
      await running?.catch(() => undefined);
      await partitions.close();
    },
  };
}

/**
 * Two halves of the partitions are drained side by side: while a page of the one commits, a page of the other is read and
 * decided.
 */
async function drainPartitions(services: DrainServices, partitions: () => Promise<number[]>, isClosed: () => boolean) {
  const halves = [0, 1].map((half) =>
    drainPages(services, async () => (await partitions()).filter((partition) => partition % 2 === half), isClosed),
  );
  const [even = 0, odd = 0] = await Promise.all(halves);
  return { processed: even + odd };
}

async function drainPages(
  services: DrainServices,
  partitions: () => Promise<number[]>,
  isClosed: () => boolean,
): Promise<number> {
  let processed = 0;
  let place: PageCursor | undefined;
  while (!isClosed()) {
    const page = await nextPage(services, await partitions(), place?.from);
    if (page.length === 0 && place === undefined) break;
    const done = await Promise.all(page.map((submission) => processSubmission(services, submission)));
    const succeeded = done.filter(Boolean).length;
    processed += succeeded;
    // Nothing went through: the store is away or everything in hand fails. The relay tries again later.
    if (page.length > 0 && succeeded === 0) break;
    place = succeeded === page.length ? cursorAfter(page, place) : undefined;
  }
  return processed;
}

/** Where the next page begins, where the last one ended, and since when pages have not begun at the head of the queue. */
interface PageCursor {
  from: Timestamp;
  end: Timestamp;
  sinceMs: number;
}

/** How long pages may begin where others ended, before the head of the queue is looked at again. */
const cursorMaxMs = 2000;

/**
 * After a page: where the one before it ended. Index entries of what was processed stay in the way at the head for
 * minutes. Not where it ended itself: of two that were inserted side by side the second may be seen first, and what is
 * sent for its member next must not be found without the first. The end of the queue waits for the next look at the head.
 */
function cursorAfter(page: readonly Submission[], place: PageCursor | undefined): PageCursor | undefined {
  const end = page.at(-1)?.place;
  const sinceMs = place?.sinceMs ?? elapsedMs();
  if (!end || elapsedMs() - sinceMs >= cursorMaxMs) return undefined;
  return { from: place?.end ?? firstCursor, end, sinceMs };
}

const firstCursor = new Timestamp({ t: 0, i: 0 });

function nextPage(
  { db, config }: DrainServices,
  partitions: number[],
  from: Timestamp | undefined,
): Promise<Submission[]> {
  return collectionOf(db, submissionResource)
    .find({ status: 'Queued', partition: { $in: partitions }, ...(from ? { place: { $gte: from } } : {}) })
    .sort({ place: 1, acceptedAt: 1, _id: 1 })
    .limit(Math.ceil(config.WORKER_CONCURRENCY / 2))
    .toArray();
}

/** Processes one; true when it is no longer queued. */
async function processSubmission(services: DrainServices, submission: Submission): Promise<boolean> {
  try {
    await services.pipeline.submit(toWork(submission));
    return true;
  } catch (error) {
    if (error instanceof Error && isLeftQueued(error)) return false;
    // Refused by a check: its commit has recorded why. What refused the batch as a whole has not.
    if (error instanceof ServiceError && !(await isQueued(services, submission))) return true;
    services.log.error({ err: error, submission: submission._id, key: submission.key }, 'submission failed');
    return recordFailure(services, submission);
  }
}

async function isQueued({ db }: DrainServices, { _id }: Submission): Promise<boolean> {
  return (await collectionOf(db, submissionResource).countDocuments({ _id, status: 'Queued' })) > 0;
}

function toWork(submission: Submission): PipelineRequest {
  const { activity, cancel } = submission.request as StoredRequest;
  return {
    author: { org: submission.org, userId: submission.createdBy },
    activity,
    ...(cancel ? { cancel } : {}),
    key: { key: submission.key, hash: submission.hash },
    historyId: submission._id,
    submissionId: submission._id,
    ...(submission.partition === undefined ? {} : { partition: submission.partition }),
  };
}

/** Counts a failed attempt; the last one ends the submission in Error, so that it cannot hold its partition up for ever. */
async function recordFailure({ db, clock }: DrainServices, submission: Submission): Promise<boolean> {
  const isLast = submission.attempts + 1 >= attemptsMax;
  const now = clock.now();
  const error = { code: 1300, message: 'Database Error: the activity could not be processed', status: 500 };
  await collectionOf(db, submissionResource).updateOne(
    { _id: submission._id, status: 'Queued' },
    {
      $inc: { attempts: 1 },
      $set: { updatedAt: now, ...(isLast ? { status: 'Error' as const, outcome: { errors: [error] } } : {}) },
      ...(isLast ? { $unset: { request: '' as const } } : {}),
    },
  );
  return isLast;
}
