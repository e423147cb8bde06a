import { Type } from '@sinclair/typebox';
import { oneOf, record } from '../schema/atoms';
import type { Services } from '../services';
import { runningVersion } from '../version';
import { defineRoute, ok, type Request } from './route';

const up = oneOf(['up', 'down']);

const liveRoute = defineRoute({
  method: 'GET',
  path: '/health/live',
  prefixes: [''],
  permission: 'open',
  summary: 'Tell whether the process runs',
  responses: { 200: record({ status: oneOf(['up']), version: Type.String(), build: Type.String() }) },
  handle: async () => ok({ status: 'up', ...runningVersion() }),
});

const checksShape = record({ database: up, redis: up, ruleSet: up });

const readiness = record({ status: oneOf(['ready', 'degraded', 'not ready']), checks: checksShape });

const readyRoute = defineRoute({
  method: 'GET',
  path: '/health/ready',
  prefixes: [''],
  permission: 'open',
  summary: 'Tell whether requests can be served',
  description: 'Redis only wakes workers: when it goes down after the start, the service is degraded but ready.',
  responses: { 200: readiness, 503: readiness },
  handle: ready,
});

/** Liveness and readiness of a process. */
export const healthRoutes = [liveRoute, readyRoute];

/** Processes whose every check was up once; tests run several in one. */
const started = new WeakSet<Services>();

async function ready({ services }: Request) {
  const [database, redis] = await Promise.all([isUp(pingDatabase(services)), isUp(services.redis.ping())]);
  const checks = { database, redis };
  if (database && redis) started.add(services);
  const isReady = database && started.has(services);
  const status = !isReady ? 'not ready' : redis ? 'ready' : 'degraded';
  const shown = Object.fromEntries(Object.entries(checks).map(([name, isUp]) => [name, isUp ? 'up' : 'down']));
  return isReady ? ok({ status, checks: shown }) : { status: 503, body: { status, checks: shown } };
}

async function pingDatabase({ db }: Services): Promise<unknown> {
  return db.db?.command({ ping: 1 });
}

const checkLimitMs = 2000;

async function isUp(check: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), checkLimitMs);
  });
  const done = check.then(
    () => true,
    () => false,
  );
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}
