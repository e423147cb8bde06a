import { Queue } from 'bullmq';
import { queueNames } from '#base/queues/queues';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { type Schedule, schedules } from './schedules';

type RegisterServices = Pick<Infrastructure, 'redis' | 'config' | 'clock' | 'log'>;

/**
 * Registers in Redis the timers' schedules that are missing, differ from the configuration or have stopped. It does not
 * register a running schedule again, because that would start its period again.
 * @throws the driver's error when Redis does not answer
 */
export async function registerSchedules(services: RegisterServices): Promise<void> {
  const { redis, config, log } = services;
  const queue = new Queue(queueNames.timers, { connection: redis, prefix: config.REDIS_PREFIX });
  queue.on('error', (error) => log.debug({ error: error.name }, 'timers queue'));
  try {
    for (const schedule of schedules) {
      if (!(await isRunning(queue, schedule, services))) await register(queue, schedule, services);
    }
  } finally {
    await queue.close();
  }
}

/** A schedule has lost its next job when that job is overdue by more than one period plus this time. */
const stoppedAfterMs = 30_000;

async function isRunning(queue: Queue, { name, everyMs }: Schedule, { config, clock }: RegisterServices) {
  const scheduler = await queue.getJobScheduler(name);
  const period = everyMs(config);
  if (scheduler?.every !== period || typeof scheduler.next !== 'number') return false;
  return scheduler.next + period + stoppedAfterMs > clock.now().getTime();
}

async function register(queue: Queue, { name, everyMs }: Schedule, { config, log }: RegisterServices): Promise<void> {
  const opts = { removeOnComplete: true, removeOnFail: true };
  await queue.upsertJobScheduler(name, { every: everyMs(config) }, { name, opts });
  log.info({ schedule: name, everyMs: everyMs(config) }, 'timer registered');
}
