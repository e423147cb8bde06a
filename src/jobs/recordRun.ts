import os from 'node:os';
import type { ObjectId } from 'bson';
import { notFound, ServiceError } from '../common/errors';
import { collectionOf } from '../db/collections';
import { newStamps } from '../db/records';
import { jobRunResource, runRetentionDays } from '../records/users/jobRun';
import { orgResource } from '../records/users/org';
import type { Counts, JobName, JobServices } from './jobs';

/** The result of a run; `error` is null when the run succeeded. */
export interface RunReport {
  startedAt: Date;
  durationMs: number;
  counts: Counts;
  error: string | null;
}

const dayMs = 86_400_000;

/**
 * Runs `work` for an org and records the run under each of `names`. An error of `work` is not thrown: it is logged,
 * recorded and returned in the report.
 * @throws the driver's error when the record cannot be written; ServiceError 1500 when the org does not exist
 */
export async function recordRun(
  services: JobServices,
  { org, names }: { org: ObjectId; names: readonly JobName[] },
  work: (startedAt: Date) => Promise<Counts>,
): Promise<RunReport> {
  const startedAt = services.clock.now();
  const ids = await insertRuns(services, org, names, startedAt);
  const done = await runToReport(services, names, () => work(startedAt));
  const finishedAt = services.clock.now();
  const report = { startedAt, durationMs: Math.max(0, finishedAt.getTime() - startedAt.getTime()), ...done };
  await finishRuns(services, org, ids, { ...report, finishedAt });
  return report;
}

async function insertRuns({ db }: JobServices, org: ObjectId, names: readonly JobName[], startedAt: Date) {
  const owner = await collectionOf(db, orgResource).findOne({ _id: org });
  if (!owner) throw notFound('Org');
  const author = { org, userId: owner.systemUser };
  const runs = names.map((name) => ({
    ...newStamps(author, startedAt),
    ...{ name, startedAt, counts: {}, host: os.hostname(), pid: process.pid },
    keptUntil: new Date(startedAt.getTime() + runRetentionDays.busy * dayMs),
  }));
  await collectionOf(db, jobRunResource).insertMany(runs);
  return runs.map(({ _id }) => _id);
}

async function runToReport({ log }: JobServices, names: readonly JobName[], work: () => Promise<Counts>) {
  try {
    return { counts: await work(), error: null };
  } catch (error) {
    log.error({ err: error, jobs: names }, 'job failed');
    return { counts: {}, error: reasonOf(error) };
  }
}

/** Names the error by class and code only, because messages of drivers contain hosts and queries. */
function reasonOf(error: unknown): string {
  if (error instanceof ServiceError) return error.message;
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name;
}

type Finished = RunReport & { finishedAt: Date };

async function finishRuns({ db }: JobServices, org: ObjectId, ids: readonly ObjectId[], finished: Finished) {
  const { finishedAt, durationMs, counts, error } = finished;
  const isIdle = error === null && Object.values(counts).every((value) => value === 0);
  const keptUntil = new Date(finishedAt.getTime() + runRetentionDays[isIdle ? 'idle' : 'busy'] * dayMs);
  const set = { finishedAt, durationMs, counts, keptUntil, updatedAt: finishedAt };
  await collectionOf(db, jobRunResource).updateMany(
    { org, _id: { $in: [...ids] } },
    { $set: { ...set, ...(error === null ? {} : { error }) } },
  );
}
