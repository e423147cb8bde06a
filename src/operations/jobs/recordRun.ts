import os from 'node:os';
import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { Histogram } from 'prom-client';
import { dayMs } from '#base/common/durations';
import { notFound } from '#base/common/errors';
import { errorMessage, failure } from '#base/common/failure';
import type { Message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { inTransaction, withRetries } from '#base/db/transaction';
import type { DocOf } from '#base/schema/resource';
import { audit } from '#platform/audit/audit';
import type { Auditor } from '#platform/audit/auditor';
import { atOrgTime, orgTime, toMachineClock } from '#platform/orgs/orgClock';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { idleRunDays, jobRunResource } from '#records/users/jobRun';
import { type Org, orgResource } from '#records/users/org';
import type { Counts, JobName, JobServices } from './jobs';

/** The result of a run; `error` is null, and there is no `fault`, when the run succeeded. */
export interface RunReport {
  startedAt: Date;
  durationMs: number;
  counts: Counts;
  error: string | null;
  fault?: Message;
}

/** What a run is for: an org, the names of its job, and who started it by hand. */
interface RunOf {
  org: ObjectId;
  names: readonly JobName[];
  by?: Auditor | undefined;
}

type JobRun = DocOf<typeof jobRunResource>;

const runDurations = new Histogram({
  name: 'loyalty_job_duration_seconds',
  help: 'Time of one run of a job for one org, by its result: done or failed',
  labelNames: ['job', 'result'],
  buckets: [0.01, 0.1, 1, 10, 60, 600, 3600],
});

/**
 * Runs `work` for an org, at the time of the org, and records the run under each of `names`, at the time of the
 * machine. An error of `work` is not thrown: it is logged, recorded and returned in the report. The audit log gets runs
 * by hand, before they begin.
 * @throws the driver's error when the record cannot be written; ServiceError 1500 when the org does not exist
 */
export async function recordRun(
  services: JobServices,
  { org, names, by }: RunOf,
  work: (services: JobServices, now: Date) => Promise<Counts>,
): Promise<RunReport> {
  const machine = toMachineClock(services.clock);
  const startedAt = machine.now();
  const { ids, owner } = await insertRuns(services, { org, names, by }, startedAt);
  const { sandbox = {} } = owner;
  const doWork = async () =>
    mayWork(owner, names) ? work(atOrgTime(services, sandbox), orgTime(startedAt, sandbox)) : {};
  const done = await runToReport(services, names, doWork);
  const finishedAt = machine.now();
  const report = { startedAt, durationMs: Math.max(0, finishedAt.getTime() - startedAt.getTime()), ...done };
  for (const job of names)
    runDurations.observe({ job, result: done.error === null ? 'done' : 'failed' }, report.durationMs / 1000);
  await finishRuns(services, org, ids, { ...report, finishedAt });
  return report;
}

async function insertRuns({ db, config }: JobServices, { org, names, by }: RunOf, startedAt: Date) {
  const owner = await collectionOf(db, orgResource).findOne({ _id: org });
  if (!owner) throw notFound('Org');
  const author = { org, userId: owner.systemUser };
  const runs = names.map((name) => ({
    ...newStamps(author, startedAt),
    name,
    startedAt,
    counts: {},
    host: os.hostname(),
    pid: process.pid,
    keptUntil: new Date(startedAt.getTime() + config.RETAIN_JOBS * dayMs),
  }));
  if (by)
    await serializedPerOrg(db, org, () =>
      withRetries(() => inTransaction(db, (session) => insertAudited(db, by, runs, session)), {}),
    );
  else await collectionOf(db, jobRunResource).insertMany(runs);
  return { ids: runs.map(({ _id }) => _id), owner };
}

/** In a sandbox that is being emptied, only the job works that finishes this when a process was killed. */
function mayWork({ sandbox }: Org, names: readonly JobName[]): boolean {
  return sandbox?.work === undefined || names.includes('sandbox');
}

async function insertAudited(db: Connection, by: Auditor, runs: JobRun[], session: ClientSession): Promise<void> {
  await collectionOf(db, jobRunResource).insertMany(runs, { session });
  for (const { _id, name, startedAt } of runs) {
    await audit(db, session, by, startedAt, [
      { action: 'run', resource: jobRunResource.path, id: name, after: { run: _id } },
    ]);
  }
}

async function runToReport({ log }: JobServices, names: readonly JobName[], work: () => Promise<Counts>) {
  try {
    return { counts: await work(), error: null };
  } catch (error) {
    log.error({ err: error, jobs: names }, 'job failed');
    return { counts: {}, ...failure(errorMessage(error)) };
  }
}

type Finished = RunReport & { finishedAt: Date };

async function finishRuns({ db, config }: JobServices, org: ObjectId, ids: readonly ObjectId[], finished: Finished) {
  const { finishedAt, durationMs, counts, error, fault } = finished;
  const isIdle = error === null && Object.values(counts).every((value) => value === 0);
  const keptUntil = new Date(finishedAt.getTime() + (isIdle ? idleRunDays : config.RETAIN_JOBS) * dayMs);
  const set = { finishedAt, durationMs, counts, keptUntil, updatedAt: finishedAt };
  await collectionOf(db, jobRunResource).updateMany(
    { org, _id: { $in: [...ids] } },
    { $set: { ...set, ...(error === null ? {} : { error, fault }) } },
  );
}
