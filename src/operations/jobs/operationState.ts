import { type Static, Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { type JobSchedulerJson, Queue } from 'bullmq';
import { allPartitions } from '#activities/inbox/partitions';
import { collectionOf } from '#base/db/collections';
import { queueNames } from '#base/queues/queues';
import { count, instant, list, record } from '#base/schema/atoms';
import { livingProcesses } from '#operations/migrations/processes';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { submissionResource } from '#records/activities/submission';
import { heartbeatCollection } from './heartbeat';
import { overdueJobs } from './overdueJobs';
import { schedules } from './schedules';

/** Most queued submissions that are counted. */
const countedMax = 100_000;

/** How long the count of the inbox may take in the database, in milliseconds. */
const countMs = 1000;

const orNone = (description: string) => Type.Unsafe<Date | null>({ type: ['string', 'null'], description });

/** The answer of `GET /jobs/state`. */
export const operationStateShape = record({
  at: instant(),
  timers: list(
    record({
      name: Type.String(),
      jobs: list(Type.String(), undefined, { description: 'The jobs that it runs, by which runs are recorded' }),
      everyMs: count(),
      lastFinishedAt: orNone('When it last succeeded for every org; null: never'),
      nextAt: orNone('When it is due; null: not known, since Redis does not answer or no worker has registered it'),
      isOverdue: Type.Boolean({ description: 'It has stopped, or never ran' }),
    }),
  ),
  queues: Type.Union(
    [
      list(
        record({
          name: Type.String(),
          waiting: count(),
          active: count(),
          delayed: count({ description: 'Due later; of timers the next run of each' }),
          failed: count(),
        }),
      ),
      Type.Null(),
    ],
    { description: 'The queues of all orgs in Redis; null: Redis does not answer' },
  ),
  inbox: record({
    waiting: count({
      description: `Accepted activities of the org that wait for a worker, counted up to ${countedMax}`,
    }),
    oldestAt: orNone('When the one that has waited longest was accepted; null: none waits'),
  }),
  processes: list(
    record({
      host: Type.String(),
      pid: count(),
      role: Type.String({ description: 'api, worker, or all' }),
      version: Type.String(),
      build: Type.String(),
      lastSeen: instant(),
      ruleSetVersion: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: "The latest version of the org's rules that it used; null: it has used none since it started",
      }),
    }),
    undefined,
    { description: 'Processes of the service that use this database' },
  ),
});

export type OperationState = Static<typeof operationStateShape>;

type Services = Pick<Infrastructure, 'db' | 'redis' | 'config' | 'log'>;

/** Reads how timers, queues, the inbox of an org and the processes are. */
export async function operationState(services: Services, org: ObjectId, now: Date): Promise<OperationState> {
  const { db, config } = services;
  const [redis, heartbeats, overdue, inbox, processes] = await Promise.all([
    readQueues(services),
    heartbeatCollection(db).find({}).toArray(),
    overdueJobs(services, now),
    readInbox(services, org),
    livingProcesses(db),
  ]);
  const finished = new Map(heartbeats.map(({ _id, lastFinishedAt }) => [_id, lastFinishedAt]));
  const late = new Set(overdue.map(({ name }) => name));
  const timers = schedules.map(({ name, jobs, everyMs }) => ({
    name,
    jobs: [...jobs],
    everyMs: everyMs(config),
    lastFinishedAt: finished.get(name) ?? null,
    nextAt: redis?.next.get(name) ?? null,
    isOverdue: late.has(name),
  }));
  const shown = processes.map(({ host, pid, role, version, build, lastSeen, ruleVersions = [] }) => ({
    host,
    pid,
    role,
    version,
    build,
    lastSeen,
    ruleSetVersion: ruleVersions.find((used) => used.org.equals(org))?.version ?? null,
  }));
  return { at: now, timers, queues: redis?.queues ?? null, inbox, processes: shown };
}

/** The counts of the queues and the next runs of timers; undefined when Redis does not answer. */
async function readQueues({ redis, config, log }: Services) {
  if (redis.status !== 'ready') return undefined;
  try {
    const names = Object.values(queueNames);
    const queues = await Promise.all(names.map((name) => withQueue(name, countJobs)));
    const planned = await withQueue(queueNames.timers, (queue) => queue.getJobSchedulers());
    return { queues, next: nextRuns(planned) };
  } catch (error) {
    log.debug({ error: error instanceof Error ? error.name : 'unknown' }, 'queues were not read');
    return undefined;
  }

  async function withQueue<T>(name: string, use: (queue: Queue) => Promise<T>): Promise<T> {
    const queue = new Queue(name, { connection: redis, prefix: config.REDIS_PREFIX });
    queue.on('error', () => undefined);
    try {
      return await use(queue);
    } finally {
      await queue.close();
    }
  }
}

async function countJobs(queue: Queue) {
  const { waiting = 0, active = 0, delayed = 0, failed = 0 } = await queue.getJobCounts();
  return { name: queue.name, waiting, active, delayed, failed };
}

function nextRuns(planned: readonly JobSchedulerJson[]): Map<string, Date> {
  return new Map(planned.flatMap(({ key, next }) => (next === undefined ? [] : [[key, new Date(next)]])));
}

async function readInbox({ db }: Services, org: ObjectId): Promise<OperationState['inbox']> {
  const submissions = collectionOf(db, submissionResource);
  // All partitions are named, so that the index of queued submissions serves both queries.
  const queued = { status: 'Queued' as const, partition: { $in: [...allPartitions] }, org };
  const [waiting, first] = await Promise.all([
    submissions.countDocuments(queued, { limit: countedMax, maxTimeMS: countMs }),
    submissions.findOne(queued, { sort: { place: 1, acceptedAt: 1, _id: 1 }, maxTimeMS: countMs }),
  ]);
  return { waiting, oldestAt: first?.acceptedAt ?? null };
}
