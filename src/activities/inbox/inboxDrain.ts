import { Timestamp } from 'bson';
import { type Refusals, recordRefused } from '#activities/commit/recordRefused';
import { processingErrors } from '#activities/pipeline/outcomeMetrics';
import type { Pipeline } from '#activities/pipeline/pipeline';
import { isLeftQueued } from '#activities/pipeline/processBatch';
import type { PipelineRequest } from '#activities/state/pipelineRequest';
import { elapsedMs } from '#base/common/clock';
import { ServiceError } from '#base/common/errors';
import { createLineSampler, type LineSampler } from '#base/common/lineSampler';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { inTransaction } from '#base/db/transaction';
import type { Queues } from '#base/queues/queues';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { ProcessingError } from '#records/activities/activityHistory';
import { type Submission, submissionResource } from '#records/activities/submission';
import type { StoredRequest } from './acceptSubmissions';
import { leasePartitions } from './leasePartitions';
import { logProcessed, submissionFields } from './logProcessed';

/** Attempts to process a submission when the service itself fails. After the last one the submission ends in Error. */
export const attemptsMax = 5;

/** The services of a drain, with the sampler that limits its log lines. */
type DrainServices = ProcessServices & { lines: LineSampler };

type ProcessServices = Pick<Infrastructure, 'db' | 'clock' | 'log' | 'config'> & { pipeline: Pipeline; queues: Queues };

/** Processes queued submissions, in each partition in the order of acceptance. */
export interface InboxDrain {
  /** Processes until no submission of this worker's partitions is queued. Overlapping calls share one run. */
  drain(): Promise<{ processed: number }>;
  /** Stops after the current page and releases the partitions. */
  close(): Promise<void>;
}

/** Makes the inbox drain of a worker process. */
export function createInboxDrain(processServices: ProcessServices): InboxDrain {
  const { log, config } = processServices;
  const logLeftOut = (lines: number) => log.info({ lines }, 'lines of activities left out');
  const services = { ...processServices, lines: createLineSampler(config.LOG_LINES_MAX, logLeftOut) };
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
 * Drains two halves of the partitions in parallel: while a page of one half commits, the other half reads and decides.
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
  let cursor: PageCursor | undefined;
  while (!isClosed()) {
    const page = await nextPage(services, await partitions(), cursor?.from);
    if (page.length === 0 && cursor === undefined) break;
    const done = await Promise.all(page.map((submission) => processSubmission(services, submission)));
    const succeeded = done.filter(Boolean).length;
    processed += succeeded;
    // No submission succeeded: the database is unavailable, or the whole page fails. The worker drains again later.
    if (page.length > 0 && succeeded === 0) break;
    cursor = succeeded === page.length ? cursorAfter(page, cursor) : undefined;
  }
  return processed;
}

/** Where the next page begins, where the last page ended, and when a page last began at the head of the queue. */
interface PageCursor {
  from: Timestamp;
  end: Timestamp;
  sinceMs: number;
}

/** How long pages may begin at a cursor before a page begins at the head of the queue again. */
const cursorMaxMs = 2000;

/**
 * The cursor after a page: the next page begins where the page before this one ended. It does not begin at the head,
 * because index entries of processed submissions make that slow for minutes. It does not begin at the end of this page
 * either: of two submissions that were inserted at once, the second may become visible first. The next page must then
 * still find the first one, before later submissions of its member. After an empty page the next one begins at the
 * head.
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

/** Processes one submission. True when it is no longer queued. */
async function processSubmission(services: DrainServices, submission: Submission): Promise<boolean> {
  const startedAt = elapsedMs();
  try {
    const { result } = await services.pipeline.submit(toRequest(submission));
    logProcessed(services, submission, { errors: result.errors, durationMs: elapsedMs() - startedAt });
    return true;
  } catch (error) {
    if (error instanceof Error && isLeftQueued(error)) return false;
    // A check refused it, and the commit recorded why. An error of the whole batch is not recorded yet.
    if (error instanceof ServiceError && !(await isQueued(services, submission))) {
      logProcessed(services, submission, { errors: [error], durationMs: elapsedMs() - startedAt });
      return true;
    }
    services.log.error({ err: error, ...submissionFields(submission) }, 'submission failed');
    return recordFailure(services, submission);
  }
}

async function isQueued({ db }: DrainServices, { _id, org }: Submission): Promise<boolean> {
  return (await collectionOf(db, submissionResource).countDocuments({ _id, org, status: 'Queued' })) > 0;
}

function toRequest(submission: Submission): PipelineRequest {
  const { activity, cancel, origin, row } = submission.request as StoredRequest;
  return {
    author: { org: submission.org, userId: submission.createdBy },
    activity,
    ...(cancel ? { cancel } : {}),
    ...(origin ? { origin } : {}),
    ...(row ? { row } : {}),
    key: { key: submission.key, hash: submission.hash },
    historyId: submission._id,
    submissionId: submission._id,
    ...(submission.partition === undefined ? {} : { partition: submission.partition }),
  };
}

/**
 * Counts a failed attempt. The last one ends the submission in Error, so that it does not block its partition forever.
 */
async function recordFailure({ db, clock }: DrainServices, submission: Submission): Promise<boolean> {
  const now = clock.now();
  const queued = { _id: submission._id, org: submission.org, status: 'Queued' as const };
  const submissions = collectionOf(db, submissionResource);
  if (submission.attempts + 1 < attemptsMax) {
    await submissions.updateOne(queued, { $inc: { attempts: 1 }, $set: { updatedAt: now } });
    return false;
  }
  const error = { code: 1300, ...message('activities.notProcessed'), status: 500 };
  await inTransaction(db, async (session) => {
    const ended = { $set: { updatedAt: now, status: 'Error' as const, outcome: { errors: [error] } } };
    const update = { ...ended, $inc: { attempts: 1 }, $unset: { request: '' as const } };
    const { modifiedCount } = await submissions.updateOne(queued, update, { session });
    if (modifiedCount > 0) await recordRefused(db, session, buildRefusal(submission, now, [error]));
  });
  processingErrors.inc({ code: error.code });
  return true;
}

/** What to record of a submission that ends without a history. */
function buildRefusal(submission: Submission, now: Date, errors: ProcessingError[]): Refusals {
  const { author, activity, cancel, row } = toRequest(submission);
  const { _id: id, key, org } = submission;
  const refused = [{ id, key, errors, activity, original: cancel?.originalId, author, row }];
  return { org, now, refused, failedRows: row ? [{ author, row, errors }] : [] };
}
