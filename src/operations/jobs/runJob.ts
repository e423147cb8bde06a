import type { ObjectId } from 'bson';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Auditor } from '#platform/audit/auditor';
import { type Counts, type Job, type JobName, type JobScope, type JobServices, jobs } from './jobs';
import { type RunReport, recordRun } from './recordRun';

/** Limits of a run on request: the most rounds, and the pause between two rounds. */
const limits = { roundsMax: 100, pauseMs: 100 } as const;

/**
 * Runs a job for one org until nothing is left of what was due at the call. It repeats rounds until one finds nothing,
 * so it also waits for work that a concurrent run has begun.
 * @param by who runs it by hand
 * @throws the driver's error when the record of the run cannot be written; a job that fails is reported in `error`
 */
export function runJob(services: JobServices, name: JobName, org: ObjectId, by?: Auditor): Promise<RunReport> {
  const job: Job = jobs[name];
  return recordRun(services, { org, names: [name], by }, (own, now) => runUntilDone(own, job, { org, now }));
}

async function runUntilDone(services: JobServices, job: Job, scope: JobScope): Promise<Counts> {
  let total: Counts = {};
  for (let round = 1; round <= limits.roundsMax; round += 1) {
    const counts = await job.run(services, scope);
    total = combined(total, counts, job.isLevel ?? false);
    if (job.left.every((key) => counts[key] === 0)) return total;
    if (round > 1) await new Promise((resolve) => setTimeout(resolve, limits.pauseMs));
  }
  throw new ServiceError('unavailable', message('jobs.notInTime'));
}

function combined(total: Counts, counts: Counts, isLevel: boolean): Counts {
  const combine = (before: number, value: number) => (isLevel ? Math.max(before, value) : before + value);
  return Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, combine(total[key] ?? 0, value)]));
}
