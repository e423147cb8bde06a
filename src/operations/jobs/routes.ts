import { Type } from '@sinclair/typebox';
import { notFound } from '#base/common/errors';
import { count, instant, record } from '#base/schema/atoms';
import { messageShape } from '#base/schema/messageShape';
import { requestAuditor } from '#platform/audit/auditor';
import { readingRoutes } from '#platform/http/collection/collectionRoutes';
import { defineRoute, ok, type RequestWith, type Route } from '#platform/http/route';
import { jobCounts, jobRunResource } from '#records/users/jobRun';
import { isJobName, type JobServices } from './jobs';
import { operationState, operationStateShape } from './operationState';
import { runJob } from './runJob';

const report = record({
  name: Type.String(),
  startedAt: instant(),
  durationMs: count(),
  counts: jobCounts,
  error: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Why it failed; null on success' }),
  fault: Type.Optional(messageShape),
});

const runRoute = defineRoute({
  method: 'POST',
  path: '/jobs/:name/run',
  permission: 'jobs:run',
  summary: 'Run a job now',
  description: 'Answers once everything of the org that was due at the call is done.',
  // The work that is due may take longer than the limit of other requests, and the answer says that it is done.
  answerMaxMs: 120_000,
  key: 'repeatable',
  responses: { 200: report },
  async handle(request: RequestWith<JobServices>) {
    const { services, principal, requestId, params } = request;
    const { name = '' } = params;
    if (!isJobName(name)) throw notFound('Job');
    // All that the run logs names the request.
    const log = services.log.child({ requestId });
    return ok({ name, ...(await runJob({ ...services, log }, name, principal.org, requestAuditor(request))) });
  },
});

const stateRoute = defineRoute({
  method: 'GET',
  path: '/jobs/state',
  permission: 'jobs:read',
  summary: 'Show how timers, queues, the inbox and the processes are',
  description: 'Timers, queues and processes are those of the service; the inbox is that of the org.',
  responses: { 200: operationStateShape },
  // The time of timers and of Redis is the machine's, also for a sandbox.
  handle: async ({ services, principal, machineClock }) =>
    ok(await operationState(services, principal.org, machineClock.now())),
});

/**
 * Routes that read the runs of jobs and how the service works, and the route that runs a job. `/state` must come before
 * `/:id`, which would match it.
 */
export const jobRoutes: Route[] = [
  stateRoute,
  ...readingRoutes(jobRunResource, { operations: ['list', 'count', 'read'] }),
  runRoute,
];
