import { overdueJobs } from '../src/jobs/overdueJobs';
import { registerSchedules } from '../src/jobs/registerSchedules';
import { runSchedule, schedules } from '../src/jobs/schedules';
import { queueNames } from '../src/queues/queues';
import type { Services } from '../src/services/services';
import { type Running, startRedisWorker } from './redisWorker';
import { closeMaxMs, within } from './within';

/** How often the schedules in Redis and the heartbeats are looked after. */
export const superviseEveryMs = 20_000;

/**
 * Starts the timers: schedules in Redis, run by whichever worker takes them. Every worker registers them, again within
 * a minute when Redis was wiped, and runs what is overdue itself when Redis does not.
 * @param everyMs how often it looks after them; the service's own unless a test cannot wait as long
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
      await within(closeMaxMs, runs.idle());
    },
  };
}

async function runNamed(services: Services, name: string): Promise<void> {
  const schedule = schedules.find((each) => each.name === name);
  // Left in Redis by another version of the service.
  if (!schedule) services.log.warn({ schedule: name }, 'unknown timer');
  else await runSchedule(services, schedule);
}

/** A run that takes longer than its period is not run again beside itself in this process. */
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
  const supervise = async () => {
    await registerSchedules(services).catch((error: Error) =>
      services.log.warn({ error: error.name }, 'timers not registered: redis does not answer'),
    );
    await runOverdue(services, run).catch((err: unknown) => services.log.error({ err }, 'timers not supervised'));
  };
  const start = () => {
    last = last.then(supervise);
  };
  start();
  const timer = setInterval(start, everyMs);
  return {
    async close() {
      clearInterval(timer);
      await within(closeMaxMs, last);
    },
  };
}

/** Starts what is overdue and does not wait for it: a long run must not keep the schedules from being looked after. */
async function runOverdue(services: Services, run: Run): Promise<void> {
  for (const { name, lastFinishedAt } of await overdueJobs(services, services.clock.now())) {
    if (lastFinishedAt) services.log.warn({ schedule: name, lastFinishedAt }, 'timer has stopped; run here');
    void run({ name }).catch((err: unknown) => services.log.error({ err, schedule: name }, 'timer failed'));
  }
}
