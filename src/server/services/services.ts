import { createSecretKey } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { createOidcProvider, type OidcProvider } from '#access/users/oidc/oidcProvider';
import { sharePipeline } from '#activities/handOver/sharedPipeline';
import { createPipeline, type Pipeline } from '#activities/pipeline/pipeline';
import { type Clock, systemClock } from '#base/common/clock';
import { createLog } from '#base/common/log';
import type { OnProgress } from '#base/common/progressTo';
import { startAbortingAbandonedTransactions } from '#base/db/abandonedTransactions';
import { connect } from '#base/db/connect';
import { showPool } from '#base/db/poolMetrics';
import { largeFrom, prepareCollections } from '#base/db/prepareCollections';
import { classifyStoreFailure } from '#base/db/storeFailure';
import { showStoreGauges } from '#base/metrics/storeGauges';
import { followPrimary } from '#base/queues/followPrimary';
import { createQueues, type Queues } from '#base/queues/queues';
import { openTracer } from '#base/tracing/openTracer';
import type { Evaluator } from '#engine/rules/evaluate/evaluator';
import { createPrepareRead } from '#members/aggregates/prepareRead';
import { migrate, migrationLevel } from '#operations/migrations/migrate';
import { type ProcessRole, registerProcess } from '#operations/migrations/processes';
import { createLoginThrottle, type LoginThrottle } from '#platform/auth/loginThrottle';
import { type Config, ConfigError } from '#platform/infrastructure/config';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { createVersionCache } from '#platform/orgs/orgVersions';
import { usesByText } from '#programs/catalog/names/usesByText';
import { loadExtDefinitions } from '#programs/extensions/loadExtDefinitions';
import { createProgramCatalogs, type ProgramCatalogs } from '#programs/programs/programCatalogs';
import { openEvaluator } from '#publishing/rulesets/openEvaluator';
import { createRuleSets, type RuleSets } from '#publishing/rulesets/ruleSets';
import { waitMs, withRetries } from '#server/startUp/retryPolicy';
import { gaugesOfStores } from './gaugesOfStores';
import { resources } from './resources';

/** Everything that a process opens. It is opened and closed in one place. */
export interface Services extends Infrastructure {
  queues: Queues;
  ruleSets: RuleSets;
  /** Counts login attempts and refuses too many. */
  logins: LoginThrottle;
  /** The OpenID provider at which staff sign in; absent: there is none. */
  oidc?: OidcProvider;
  programCatalogs: ProgramCatalogs;
  /** Evaluates the conditions of rules. */
  evaluator: Evaluator;
  pipeline: Pipeline;
  close(): Promise<void>;
}

/** What {@link openServices} may be given: replacements for the system clock and the log, and what a process is. */
export interface ServiceOptions {
  clock?: Clock;
  log?: Logger;
  /** What this process does. The database then lists it among those that live; absent: it does not. */
  role?: ProcessRole;
  /** Receives what an upgrade of the database is doing. */
  onProgress?: OnProgress;
}

/** Timeout of a Redis command in milliseconds, so that a request never waits longer for one. */
const redisTimeoutMs = 1000;

/**
 * Opens everything that a process of the service needs. It brings the database to the level of this version before:
 * migrations, collections and indexes.
 * @throws ConfigError when MONGODB_URI, REDIS_URL or JWT_SECRET is not set; StartError when the database cannot be
 *   upgraded or is newer than this version
 */
export async function openServices(config: Config, options: ServiceOptions = {}): Promise<Services> {
  const { mongodbUri, redisUrl, tokenKey } = backing(config);
  const { role, clock = systemClock, log = createLog(config, undefined, classifyStoreFailure) } = options;
  const tracer = await openTracer(config, log);
  const { db, registered } = await openDatabase(mongodbUri, config, log, { ...options, clock });
  const abandoned = startAbortingAbandonedTransactions(db, log);
  showPool(db);
  const hideGauges = showStoreGauges(gaugesOfStores, { db, clock, openedAt: clock.now() });
  const redis = openRedis(redisUrl, log);
  const logins = createLoginThrottle(redis, config.REDIS_PREFIX);
  const queues = createQueues({ redisUrl, prefix: config.REDIS_PREFIX, log });
  const ruleSets = createRuleSets({ db, log, clock, rulesDir: config.rulesDir, orgCode: config.ORG });
  registered?.tellRuleVersions(ruleSets.used);
  const shared = {
    db,
    clock,
    tracer,
    resources,
    ruleSets,
    extDefinitions: createVersionCache((org) => loadExtDefinitions(db, org)),
    programCatalogs: createProgramCatalogs(db),
    evaluator: openEvaluator(config, log),
  };
  const pipeline = createPipeline(shared);
  const isShared = (role === 'api' || role === 'all') && config.PEER_HOST !== 'none';
  const sharedPipeline = isShared ? await sharePipeline(pipeline, { config, db, log, tokenKey }) : undefined;
  return {
    ...shared,
    config,
    log,
    redis,
    tokenKey,
    logins,
    queues,
    usesByText,
    prepareRead: createPrepareRead((err) => log.warn({ err }, 'larger periods are read as they were rolled up last')),
    ...(config.oidc ? { oidc: createOidcProvider(config.oidc, log) } : {}),
    pipeline: sharedPipeline ?? pipeline,
    async close() {
      await sharedPipeline?.close();
      await pipeline.idle();
      await ruleSets.close();
      await queues.close();
      redis.disconnect();
      abandoned.close();
      hideGauges();
      await registered?.close();
      await db.destroy();
      await tracer?.close();
    },
  };
}

/** Connects and upgrades. A process that starts waits for a database that is unavailable; a command does not. */
async function openDatabase(uri: string, config: Config, log: Logger, options: ServiceOptions & { clock: Clock }) {
  const { role, onProgress = () => undefined } = options;
  const open = async () => {
    const db = await connect(uri, { maxPoolSize: config.MONGODB_MAX_POOL });
    try {
      return { db, registered: await upgrade(db, log, options) };
    } catch (error) {
      await db.destroy();
      throw error;
    }
  };
  const onAway = () => onProgress('Waiting for MongoDB, which does not answer', true);
  return role ? withRetries(open, { waitMs, onAway }) : open();
}

/** Brings the database to the level of this version, after this process is known to those that wait for its end. */
async function upgrade(db: Connection, log: Logger, options: ServiceOptions & { clock: Clock }) {
  const { role, clock, onProgress = () => undefined } = options;
  const registered =
    role && (await registerProcess(db, role, migrationLevel(), (migration) => endOutdated(log, migration)));
  try {
    const ran = await migrate(db, { clock, onProgress });
    for (const { number, name } of ran) log.info({ migration: number, name }, 'database upgraded');
    await prepareCollections(db, resources, { largeFrom, onProgress });
    return registered;
  } catch (error) {
    await registered?.close();
    throw error;
  }
}

/** Ends this process in order. It slept while a newer version upgraded the database, and what it writes does not fit. */
function endOutdated(log: Logger, migration: string): void {
  log.fatal({ migration }, 'a newer version has upgraded the database; this process ends');
  process.kill(process.pid, 'SIGTERM');
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
    ...followPrimary,
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
