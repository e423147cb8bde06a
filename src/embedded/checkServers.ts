import { Redis } from 'ioredis';
import { mongo } from 'mongoose';
import type { OnProgress } from './progress';
import { StartError } from './startError';
import { messageOf } from './systemError';

const ANSWER_LIMIT_MS = 5000;

/**
 * Checks that a MongoDB can serve us: it answers within 5 s, and it is a replica set or sharded cluster, since only those have
 * transactions.
 * @throws StartError with one line that says what is wrong
 */
export async function checkMongo(uri: string): Promise<void> {
  const client = mongoClientOf(uri);
  const hosts = client.options.srvHost ?? client.options.hosts.join(',');
  const hello = await client
    .db('admin')
    .command({ hello: 1 })
    .catch((error: unknown) => {
      const reason = firstLine(error);
      throw new StartError(`MongoDB at ${hosts}: no primary answered within ${ANSWER_LIMIT_MS / 1000} s (${reason})`);
    })
    .finally(() => client.close());
  const hasTransactions = typeof hello.setName === 'string' || hello.msg === 'isdbgrid';
  if (hasTransactions) return;
  throw new StartError(
    `MongoDB at ${hosts} is a standalone server, which has no transactions: start it with --replSet and run rs.initiate() once`,
  );
}

/**
 * Checks that a Redis can hold our queues: it answers within 5 s, and it never evicts keys. Where the server does not tell its policy,
 * `onProgress` gets a warning.
 * @throws StartError with one line that says what is wrong
 */
export async function checkRedis(url: string, onProgress: OnProgress): Promise<void> {
  const server = `Redis at ${redisHostOf(url)}`;
  const policy = await evictionPolicyOf(url, server);
  if (policy === 'noeviction') return;
  const remedy = 'set maxmemory-policy to noeviction, else queued jobs may vanish';
  if (policy !== undefined) throw new StartError(`${server} has maxmemory-policy ${policy}: ${remedy}`);
  onProgress(`warning: ${server} does not tell its maxmemory-policy: ${remedy}`);
}

function mongoClientOf(uri: string): mongo.MongoClient {
  try {
    return new mongo.MongoClient(uri, {
      serverSelectionTimeoutMS: ANSWER_LIMIT_MS,
      connectTimeoutMS: ANSWER_LIMIT_MS,
      socketTimeoutMS: ANSWER_LIMIT_MS,
    });
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

/** INFO tells the policy too and is allowed where CONFIG is not. */
async function evictionPolicyOf(url: string, server: string): Promise<string | undefined> {
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
    throw new StartError(`${server} does not answer (${firstLine(cause ?? error)})`);
  } finally {
    redis.disconnect();
  }
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}
