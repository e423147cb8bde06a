import { Type } from '@sinclair/typebox';
import { byName, count, freeObject, instant, text } from '#base/schema/atoms';
import { failureFields } from '#base/schema/messageShape';
import { defineResource } from '#base/schema/resource';

/**
 * Days that idle runs, which found nothing to do, are kept. Most runs are idle, because some timers run every few
 * seconds. Others are kept for `RETAIN_JOBS` days.
 */
export const idleRunDays = 1;

/** What a run did, by name, as answers show it. */
export const jobCounts = byName(count(), 100, { description: 'What it did, by name' });

/** Runs of jobs, started by a timer or by a request: one record for each org in which a run worked. */
export const jobRunResource = defineResource({
  name: 'JobRun',
  path: 'jobs',
  access: 'operation',
  tag: 'Operation',
  fields: {
    name: text(50, { description: 'Name of the job' }),
    startedAt: instant(),
    finishedAt: Type.Optional(
      instant({ description: 'Absent while it runs, and for ever when its process was killed' }),
    ),
    durationMs: Type.Optional(count()),
    counts: freeObject({ description: 'What it did' }),
    ...failureFields,
    host: text(255, { description: 'Machine it ran on' }),
    pid: count({ description: 'Process it ran in' }),
    /** When the record is deleted. */
    keptUntil: instant(),
  },
  readOnly: ['name', 'startedAt', 'finishedAt', 'durationMs', 'counts', 'error', 'fault', 'host', 'pid'],
  completed: { counts: jobCounts },
  hidden: ['keptUntil'],
  indexes: [{ keys: { org: 1, name: 1, startedAt: -1 } }, { keys: { keptUntil: 1 }, expireAfterSeconds: 0 }],
});
