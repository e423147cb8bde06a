import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { heartbeatCollection } from './heartbeat';
import { schedules } from './schedules';

/** A timer that is overdue. */
export interface OverdueJob {
  name: string;
  /** When the timer last succeeded; null when it never did. */
  lastFinishedAt: Date | null;
  /** The time after a success at which the timer counts as overdue. */
  overdueAfterMs: number;
}

/** A timer is overdue one period after it was due, but not before this time has passed. */
const graceMinMs = 60_000;

/** Finds the timers that have stopped or never succeeded. Readiness reports them; workers log and run them. */
export async function overdueJobs(
  { db, config }: Pick<Infrastructure, 'db' | 'config'>,
  now: Date,
): Promise<OverdueJob[]> {
  const heartbeats = await heartbeatCollection(db).find({}).toArray();
  const finished = new Map(heartbeats.map(({ _id, lastFinishedAt }) => [_id, lastFinishedAt]));
  return schedules.flatMap(({ name, everyMs }) => {
    const lastFinishedAt = finished.get(name) ?? null;
    const period = everyMs(config);
    const overdueAfterMs = period + Math.max(period, graceMinMs);
    const latest = (lastFinishedAt?.getTime() ?? Number.NEGATIVE_INFINITY) + overdueAfterMs;
    return now.getTime() > latest ? [{ name, lastFinishedAt, overdueAfterMs }] : [];
  });
}
