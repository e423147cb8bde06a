import { withinTime } from '#base/common/withinTime';
import { queueNames } from '#base/queues/queues';
import { overdueJobs } from '#operations/jobs/overdueJobs';
import { registerSchedules } from '#operations/jobs/registerSchedules';
import { runSchedule, schedules } from '#operations/jobs/schedules';
import type { Services } from '#server/services/services';
import { closeMaxMs } from './closeMaxMs';
import { type Running, startRedisWorker } from './redisWorker';

/** Milliseconds between two checks of the schedules in Redis and of the heartbeats. */
export const superviseEveryMs = 20_000;

/**
 * Starts the timers. Their schedules are in Redis, and whichever worker takes a job runs it. Every worker checks the
 * schedules: it registers missing ones, so they are back within a minute after Redis lost its data. It also runs
 * overdue timers itself, so timers run without Redis too.
 * @param everyMs milliseconds between two checks; only tests that cannot wait as long give their own
 */
export function startTimersWorker(services: Services, everyMs: number = superviseEveryMs): Running {
  const runs = onceAtATime((name) => runNamed(services, name));
  const worker = startRedisWorker(services, {
    queue: queueNames.timers,
    concurrency: schedules.length,
    process: runs.run,
  });
  const supervisor = startSupervisor(services, runs.run, everyMs);
  return {
    async close() {
      await Promise.all([worker.close(), supervisor.close()]);
      await withinTime(closeMaxMs, runs.idle());
    },
  };
}

async function runNamed(services: Services, name: string): Promise<void> {
  const schedule = schedules.find((each) => each.name === name);
  // Another version of the service may have left this schedule in Redis.
  if (!schedule) services.log.warn({ schedule: name }, 'unknown timer');
  else await runSchedule(services, schedule);
}

/** Runs each timer at most once at a time in this process. A second call returns the run in progress. */
function onceAtATime(start: (name: string) => Promise<void>) {
  const running = new Map<string, Promise<void>>();
  return {
    run({ name }: { name: string }): Promise<void> {
      const run = running.get(name) ?? start(name).finally(() => running.delete(name));
      running.set(name, run);
      return run;
    },
    idle: () => Promise.allSettled(running.values()),
  };
}

type Run = (timer: { name: string }) => Promise<void>;

function startSupervisor(services: Services, run: Run, everyMs: number): Running {
  let last: Promise<void> = Promise.resolve();
  const startedAt = services.clock.now();
  const supervise = async () => {
    await registerSchedules(services).catch((err: unknown) =>
      services.log.warn({ err }, 'timers not registered: redis does not answer'),
    );
    await runOverdue(services, run, startedAt).catch((err: unknown) =>
      services.log.error({ err }, 'checking for overdue timers failed'),
    );
  };
  const start = () => {
    last = last.then(supervise);
  };
  start();
  const timer = setInterval(start, everyMs);
  return {
    async close() {
      clearInterval(timer);
      await withinTime(closeMaxMs, last);
    },
  };
}

/**
 * Starts overdue timers without waiting for them, so that a long run does not delay the next check of the schedules. A
 * timer that became due while nothing ran, as after a planned stop, has not stopped: this worker has to have waited for it.
 */
async function runOverdue(services: Services, run: Run, startedAt: Date): Promise<void> {
  const now = services.clock.now();
  const waitedMs = now.getTime() - startedAt.getTime();
  for (const { name, lastFinishedAt, overdueAfterMs } of await overdueJobs(services, now)) {
    const hasStopped = lastFinishedAt && waitedMs > overdueAfterMs;
    if (hasStopped) services.log.warn({ schedule: name, lastFinishedAt }, 'timer has stopped; this worker runs it');
    void run({ name }).catch((err: unknown) => services.log.error({ err, schedule: name }, 'timer failed'));
  }
}
