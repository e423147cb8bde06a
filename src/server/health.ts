import { Type } from '@sinclair/typebox';
import { throttled } from '#base/common/throttled';
import { runningVersion } from '#base/common/version';
import { withinTime } from '#base/common/withinTime';
import { collectionOf } from '#base/db/collections';
import { deferredIndexes } from '#base/db/deferredIndexes';
import { oneOf, record } from '#base/schema/atoms';
import { overdueJobs } from '#operations/jobs/overdueJobs';
import { type Answer, defineRoute, ok, type Request, type Route } from '#platform/http/route';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { programsWithoutRules } from '#publishing/rulesets/programsWithoutRules';
import { ruleSetStatus } from '#publishing/rulesets/ruleSetStatus';
import { orgResource } from '#records/users/org';

const liveRoute = defineRoute({
  method: 'GET',
  path: '/health/live',
  tag: 'Operation',
  prefixes: [''],
  permission: 'open',
  summary: 'Tell whether the process runs',
  responses: { 200: record({ status: oneOf(['up']), version: Type.String(), build: Type.String() }) },
  handle: async () => ok({ status: 'up', ...runningVersion() }),
});

const upOrDown = oneOf(['up', 'down']);

const readinessShape = record({
  status: oneOf(['ready', 'not ready', 'starting', 'migrating']),
  progress: Type.Optional(Type.String({ description: 'What an upgrade of the database is doing' })),
  checks: record({
    database: upOrDown,
    redis: upOrDown,
    overdueTimers: Type.Array(Type.String(), { description: 'Timers that stopped or never ran' }),
    indexes: Type.Array(
      record({
        name: Type.String({ description: '<collection>.<name>' }),
        status: oneOf(['Waiting', 'Building', 'Failed']),
        done: Type.Number({ description: 'Records that were looked at for it' }),
        total: Type.Number({ description: 'Records to look at; 0 when it is not known' }),
      }),
      { description: 'Indexes that the job indexes has still to make; reads that want them are slow until then' },
    ),
    ruleSet: record({
      version: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Version in force; null: none' }),
      faults: Type.Integer({
        minimum: 0,
        description: 'Faults in the rule files at the last load; see GET /rulesets/current',
      }),
      withoutRules: Type.Array(Type.String(), {
        description: 'Programs with rule files of which no rule is in force: their activities earn nothing',
      }),
    }),
  }),
});

const readyRoute = defineRoute({
  method: 'GET',
  path: '/health/ready',
  tag: 'Operation',
  prefixes: [''],
  permission: 'open',
  summary: 'Tell whether the process can serve requests',
  description:
    'The service is ready without Redis, which only wakes workers. The checks run at most once a second; requests in ' +
    'between get the last answer.',
  responses: { 200: readinessShape, 503: readinessShape },
  handle: ready,
});

/** The routes for liveness and readiness of a process. */
export const healthRoutes: Route[] = [liveRoute, readyRoute];

const lookEveryMs = 1000;
const checkLimitMs = 2000;

/** The readiness check of each set of services, by its database. Tests open several sets in one process. */
const looks = new WeakMap<object, () => Promise<Answer>>();

async function ready({ services }: Request): Promise<Answer> {
  const look = looks.get(services.db) ?? throttled(lookEveryMs, () => readiness(services));
  looks.set(services.db, look);
  return look();
}

async function readiness(services: Infrastructure): Promise<Answer> {
  const [ruleSet, redis, overdue, indexes] = await Promise.all([
    withinTime(checkLimitMs, ruleSetHealth(services)),
    withinTime(checkLimitMs, services.redis.ping()),
    withinTime(checkLimitMs, overdueJobs(services, services.clock.now())),
    withinTime(checkLimitMs, deferredIndexes(services.db)),
  ]);
  const checks = {
    database: ruleSet ? 'up' : 'down',
    redis: redis ? 'up' : 'down',
    overdueTimers: (overdue ?? []).map(({ name }) => name),
    indexes: (indexes ?? []).map(({ _id, status, done, total }) => ({ name: _id, status, done, total })),
    ruleSet: ruleSet ?? noRuleSet,
  };
  const body = { status: ruleSet ? 'ready' : 'not ready', checks };
  return { status: ruleSet ? 200 : 503, body, headers: { 'Cache-Control': 'no-store' } };
}

const noRuleSet = { version: null, faults: 0, withoutRules: [] };

/** Reports only the number of faults: the route needs no token, and the content of rule files is private. */
async function ruleSetHealth({ db, config }: Infrastructure) {
  const org = await collectionOf(db, orgResource).findOne({ code: config.ORG });
  if (!org) return noRuleSet;
  const [{ version, errors }, withoutRules] = await Promise.all([
    ruleSetStatus(db, org._id),
    programsWithoutRules(db, org),
  ]);
  return { version, faults: errors.length, withoutRules };
}
