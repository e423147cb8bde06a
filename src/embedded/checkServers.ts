import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { mongo } from 'mongoose';
import { messageOf } from '../common/systemError';
import type { OnProgress } from './binaries/progressTo';
import { StartError } from './binaries/startError';

const ANSWER_LIMIT_MS = 5000;

const RETRY_MS = 1000;

/** How long a check waits for a server that does not answer. */
export interface Patience {
  waitMs: number;
  /** Receives, about once a second, why the server cannot be used yet. */
  onAway(reason: string): void;
}

/**
 * Checks that a MongoDB can serve us: it answers in time, and it is a replica set or sharded cluster, since only those have
 * transactions. One that refuses us, or has none, is not waited for.
 * @throws StartError with one line that says what is wrong
 */
export async function checkMongo(uri: string, patience: Patience): Promise<void> {
  const client = mongoClientOf(uri, patience);
  const server = mongoNameOf(client);
  const hello = await client
    .db('admin')
    .command({ hello: 1 })
    .catch((error: unknown) => {
      const reason = firstLine(error);
      if (error instanceof mongo.MongoServerError) throw new StartError(`${server} refuses us (${reason})`);
      throw new StartError(`${server}: no primary answered within ${patience.waitMs / 1000} s (${reason})`);
    })
    .finally(() => client.close());
  const hasTransactions = typeof hello.setName === 'string' || hello.msg === 'isdbgrid';
  if (hasTransactions) return;
  throw new StartError(
    `${server} is a standalone server, which has no transactions: start it with --replSet and run rs.initiate() once`,
  );
}

/**
 * Checks that a Redis can hold our queues: it answers in time, and it never evicts keys. Where the server does not tell its policy,
 * `onProgress` gets a warning. One that refuses us is not waited for.
 * @throws StartError with one line that says what is wrong
 */
export async function checkRedis(url: string, onProgress: OnProgress, patience: Patience): Promise<void> {
  const server = `Redis at ${redisHostOf(url)}`;
  const policy = await patientPolicyOf(url, server, patience);
  if (policy === 'noeviction') return;
  const remedy = 'set maxmemory-policy to noeviction, else queued jobs may vanish';
  if (policy !== undefined) throw new StartError(`${server} has maxmemory-policy ${policy}: ${remedy}`);
  onProgress(`warning: ${server} does not tell its maxmemory-policy: ${remedy}`);
}

function mongoNameOf({ options }: mongo.MongoClient): string {
  return `MongoDB at ${options.srvHost ?? options.hosts.join(',')}`;
}

function mongoClientOf(uri: string, { waitMs, onAway }: Patience): mongo.MongoClient {
  try {
    const client = new mongo.MongoClient(uri, {
      serverSelectionTimeoutMS: waitMs,
      heartbeatFrequencyMS: RETRY_MS,
      connectTimeoutMS: ANSWER_LIMIT_MS,
      socketTimeoutMS: ANSWER_LIMIT_MS,
    });
    client.on('serverHeartbeatFailed', ({ failure }) => onAway(firstLine(failure)));
    client.on('serverHeartbeatSucceeded', ({ reply }) => {
      if (!reply.isWritablePrimary) onAway('it is no primary');
    });
    return client;
  } catch (error) {
    throw new StartError(`the MongoDB connection string cannot be used: ${firstLine(error)}`);
  }
}

function redisHostOf(url: string): string {
  try {
    const { protocol, host } = new URL(url);
    if (protocol === 'redis:' || protocol === 'rediss:') return host;
  } catch {
    // the same answer as to a wrong protocol
  }
  throw new StartError('the Redis URL cannot be used: it must look like redis://host:6379');
}

async function patientPolicyOf(url: string, server: string, { waitMs, onAway }: Patience): Promise<string | undefined> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await evictionPolicyOf(url);
    } catch (error) {
      const reason = firstLine(error);
      if (isRefusal(error)) throw new StartError(`${server} refuses us (${reason})`);
      if (performance.now() - startedAt + RETRY_MS > waitMs)
        throw new StartError(`${server} does not answer (${reason})`);
      onAway(reason);
    }
    await sleep(RETRY_MS);
  }
}

/** Tells whether a Redis answered with an error that waiting does not mend; one that starts says LOADING. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && !/^(?:LOADING|BUSY|MASTERDOWN)\b/.test(error.message);
}

/** INFO tells the policy too and is allowed where CONFIG is not. */
async function evictionPolicyOf(url: string): Promise<string | undefined> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: ANSWER_LIMIT_MS,
    commandTimeout: ANSWER_LIMIT_MS,
    enableReadyCheck: false,
    retryStrategy: () => null,
  });
  let cause: unknown;
  redis.on('error', (error) => {
    cause = error;
  });
  try {
    await redis.ping();
    const memory = await redis.info('memory').catch(() => '');
    return /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
  } catch (error) {
    throw cause ?? error;
  } finally {
    redis.disconnect();
  }
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}
