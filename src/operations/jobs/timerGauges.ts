import { type StoreGauges, storeGaugeLimits } from '#base/metrics/storeGauges';
import { heartbeatCollection } from './heartbeat';
import { schedules } from './schedules';

const lag = 'loyalty_timer_lag_seconds';

/** How late each job of a timer is. Jobs that share a timer are late together. */
export const timerGauges: StoreGauges = {
  gauges: {
    [lag]: {
      help: 'Time since the job of a timer was due and has not succeeded; 0 when it is in time',
      labelNames: ['job'],
    },
  },
  async read({ db, clock, openedAt }) {
    const heartbeats = await heartbeatCollection(db).find({}, { maxTimeMS: storeGaugeLimits.queryMs }).toArray();
    const now = clock.now().getTime();
    const values = schedules.flatMap(({ name, jobs }) => {
      const heartbeat = heartbeats.find(({ _id }) => _id === name);
      // A timer that never succeeded is due since the start of this process at the latest.
      const dueAt = heartbeat ? heartbeat.lastFinishedAt.getTime() + heartbeat.everyMs : openedAt.getTime();
      const value = Math.max(0, now - dueAt) / 1000;
      return jobs.map((job) => ({ labels: { job }, value }));
    });
    return { [lag]: values };
  },
};
