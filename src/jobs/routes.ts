import { Type } from '@sinclair/typebox';
import { notFound } from '../common/errors';
import { collectionRoutes } from '../http/collection/collectionRoutes';
import { defineRoute, ok, type RequestWith, type Route } from '../http/route';
import { jobRunResource } from '../records/users/jobRun';
import { count, freeObject, instant, record } from '../schema/atoms';
import { isJobName, type JobServices } from './jobs';
import { runJob } from './runJob';

const report = record({
  name: Type.String(),
  startedAt: instant(),
  durationMs: count(),
  counts: freeObject({ description: 'What the run did, by name' }),
  error: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Why it failed; null when it did not' }),
});

const runRoute = defineRoute({
  method: 'POST',
  path: '/jobs/:name/run',
  permission: 'jobs:run',
  summary: 'Run a job now',
  description: 'Answers when nothing of the org that was due at the call is left.',
  // All that is due may be more than is done in the time of other requests, and the answer is that it is done.
  answerMaxMs: 120_000,
  responses: { 200: report },
  async handle({ services, principal, params: { name = '' } }: RequestWith<JobServices>) {
    if (!isJobName(name)) throw notFound('Job');
    return ok({ name, ...(await runJob(services, name, principal.org)) });
  },
});

/** Runs of jobs, and running one. */
export const jobRoutes: Route[] = [
  ...collectionRoutes(jobRunResource, { operations: ['list', 'count', 'read'] }),
  runRoute,
];
