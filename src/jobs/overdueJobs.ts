import type { Backing } from '../backing/backing';
import { heartbeatsOf } from './heartbeat';
import { schedules } from './schedules';

/** A timer that should have run. */
export interface OverdueJob {
  name: string;
  /** Null when it never ran. */
  lastFinishedAt: Date | null;
}

/** A timer is overdue a period, and at least this long, after it was due. */
const graceMinMs = 60_000;

/** Finds the timers that have stopped, or never succeed: for readiness, logs, and workers that run them without Redis. */
export async function overdueJobs({ db, config }: Pick<Backing, 'db' | 'config'>, now: Date): Promise<OverdueJob[]> {
  const heartbeats = await heartbeatsOf(db).find({}).toArray();
  const finished = new Map(heartbeats.map(({ _id, lastFinishedAt }) => [_id, lastFinishedAt]));
  return schedules.flatMap(({ name, everyMs }) => {
    const lastFinishedAt = finished.get(name) ?? null;
    const period = everyMs(config);
    const latest = (lastFinishedAt?.getTime() ?? Number.NEGATIVE_INFINITY) + period + Math.max(period, graceMinMs);
    return now.getTime() > latest ? [{ name, lastFinishedAt }] : [];
  });
}
