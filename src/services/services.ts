import { createSecretKey } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { createPipeline, type Pipeline } from '../activities/pipeline/pipeline';
import { createLoginThrottle, type LoginThrottle } from '../auth/loginThrottle';
import type { Backing } from '../backing/backing';
import { type Config, ConfigError } from '../backing/config';
import { type Clock, systemClock } from '../common/clock';
import { createLog } from '../common/log';
import { startAbortingAbandoned } from '../db/abandoned';
import { connect, prepareCollections } from '../db/connect';
import { loadExtDefinitions } from '../extensions/loadExtDefinitions';
import { fillSearchKeys } from '../members/fillSearchKeys';
import { createVersionCache } from '../orgs/orgVersions';
import { createProgramCatalogs, type ProgramCatalogs } from '../programs/programCatalogs';
import { createQueues, type Queues } from '../queues/queues';
import type { Evaluator } from '../rules/evaluate/evaluator';
import { openEvaluator } from '../rulesets/openEvaluator';
import { createRuleSets, type RuleSets } from '../rulesets/ruleSets';
import { resources } from './resources';

/** Everything that a process opens. It is opened and closed in one place. */
export interface Services extends Backing {
  queues: Queues;
  ruleSets: RuleSets;
  /** Counts login attempts and refuses too many. */
  logins: LoginThrottle;
  programCatalogs: ProgramCatalogs;
  /** Evaluates the conditions of rules. */
  evaluator: Evaluator;
  pipeline: Pipeline;
  close(): Promise<void>;
}

/** Replacements for the system clock and the log. */
export interface ServiceOptions {
  clock?: Clock;
  log?: Logger;
}

/** Timeout of a Redis command in milliseconds, so that a request never waits longer for one. */
const redisTimeoutMs = 1000;

/**
 * Opens everything that a process of the service needs, and makes missing collections and indexes.
 * @throws ConfigError when MONGODB_URI, REDIS_URL or JWT_SECRET is not set
 */
export async function openServices(config: Config, options: ServiceOptions = {}): Promise<Services> {
  const { mongodbUri, redisUrl, tokenKey } = backing(config);
  const { clock = systemClock, log = createLog(config) } = options;
  const db = await connect(mongodbUri, { maxPoolSize: config.MONGODB_MAX_POOL });
  await prepareCollections(db, resources);
  // Before anybody asks: a member without keys would be missed silently.
  const filled = await fillSearchKeys(db);
  if (filled > 0) log.info({ members: filled }, 'members of an older version can be found by their keys');
  const abandoned = startAbortingAbandoned(db, log);
  const redis = openRedis(redisUrl, log);
  const logins = createLoginThrottle(redis, config.REDIS_PREFIX);
  const queues = createQueues({ redisUrl, prefix: config.REDIS_PREFIX, log });
  const folders = { rulesDir: config.rulesDir, orgCode: config.ORG };
  const ruleSets = createRuleSets({ db, log, clock, ...folders });
  const evaluator = openEvaluator(config, log);
  const programCatalogs = createProgramCatalogs(db);
  const extDefinitions = createVersionCache((org) => loadExtDefinitions(db, org));
  const pipeline = createPipeline({ db, clock, resources, extDefinitions, ruleSets, programCatalogs, evaluator });
  return {
    ...{ config, log, clock, db, redis, tokenKey, resources, logins, queues, ruleSets, programCatalogs },
    extDefinitions,
    evaluator,
    pipeline,
    async close() {
      await pipeline.idle();
      await ruleSets.close();
      await queues.close();
      redis.disconnect();
      abandoned.close();
      await db.destroy();
    },
  };
}

function backing({ MONGODB_URI, REDIS_URL, JWT_SECRET }: Config) {
  const missing = [
    MONGODB_URI === undefined ? ['MONGODB_URI is required: a replica set or sharded cluster'] : [],
    REDIS_URL === undefined ? ['REDIS_URL is required: a Redis server'] : [],
    JWT_SECRET === undefined ? ['JWT_SECRET is required: the HS256 key of tokens, at least 32 bytes'] : [],
  ].flat();
  if (MONGODB_URI === undefined || REDIS_URL === undefined || JWT_SECRET === undefined) throw new ConfigError(missing);
  return { mongodbUri: MONGODB_URI, redisUrl: REDIS_URL, tokenKey: createSecretKey(JWT_SECRET, 'utf8') };
}

/** Opens a connection that fails commands while Redis is unavailable; ioredis would queue them by default. */
function openRedis(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: redisTimeoutMs,
    connectTimeout: redisTimeoutMs,
    // The first commands to a frozen server wait for this timeout. Then the connection counts as lost, and commands
    // fail.
    socketTimeout: redisTimeoutMs,
    retryStrategy: (times) => Math.min(100 * times, 2000),
  });
  redis.on('error', (error: NodeJS.ErrnoException) => log.debug({ error: error.code ?? error.name }, 'redis'));
  return redis;
}
