import { dayMs, hourMs, minuteMs } from '#base/common/durations';
import { collectionOf } from '#base/db/collections';
import type { Config } from '#platform/infrastructure/config';
import { orgResource } from '#records/users/org';
import { beat } from './heartbeat';
import { type Job, type JobName, type JobServices, jobs } from './jobs';
import { recordRun } from './recordRun';

/** A timer: its period and its jobs. */
export interface Schedule {
  name: string;
  everyMs(config: Config): number;
  /** Names of the same job: only the first is run, and the run is recorded under each name. */
  jobs: readonly [JobName, ...JobName[]];
}

/** Every timer of the service. */
export const schedules: readonly Schedule[] = [
  { name: 'daychange', everyMs: ({ dayChangeEveryMs }) => dayChangeEveryMs, jobs: ['escrow', 'tiers', 'expiry'] },
  { name: 'aggregates', everyMs: ({ aggregatesEveryMs }) => aggregatesEveryMs, jobs: ['aggregates'] },
  // Reads bring the larger periods of their members up to date before (members/aggregates/prepareRead).
  { name: 'periods', everyMs: () => 15 * minuteMs, jobs: ['periods'] },
  { name: 'inbox', everyMs: () => 5000, jobs: ['inbox'] },
  { name: 'occasions', everyMs: () => 30_000, jobs: ['occasions'] },
  { name: 'members', everyMs: () => 10_000, jobs: ['members'] },
  { name: 'rules', everyMs: () => 10_000, jobs: ['rules'] },
  { name: 'indexes', everyMs: () => 30_000, jobs: ['indexes'] },
  { name: 'expiring', everyMs: () => dayMs, jobs: ['expiring'] },
  { name: 'events', everyMs: () => hourMs, jobs: ['events'] },
  { name: 'sandbox', everyMs: () => 30_000, jobs: ['sandbox'] },
  { name: 'retention', everyMs: () => dayMs, jobs: ['retention'] },
  { name: 'reconcile', everyMs: () => dayMs, jobs: ['reconcile'] },
];

/** Runs a timer's job once for every org. It stores the heartbeat only when the job succeeded for all orgs. */
export async function runSchedule(services: JobServices, schedule: Schedule): Promise<void> {
  const { db, clock, config } = services;
  const [first] = schedule.jobs;
  const job: Job = jobs[first];
  const orgs = await collectionOf(db, orgResource).find({}).sort({ _id: 1 }).toArray();
  let hasFailed = false;
  for (const { _id: org } of orgs) {
    const { error } = await recordRun(services, { org, names: schedule.jobs }, (own, now) =>
      (job.runByTimer ?? job.run)(own, { org, now }),
    );
    hasFailed ||= error !== null;
  }
  const heartbeat = { _id: schedule.name, lastFinishedAt: clock.now(), everyMs: schedule.everyMs(config) };
  if (!hasFailed) await beat(db, heartbeat);
}
