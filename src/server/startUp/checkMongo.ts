import { mongo } from 'mongoose';
import { StartError } from '#base/common/startError';
import { classifyStoreFailure } from '#base/db/storeFailure';
import { answerLimitMs, firstLine, type RetryPolicy, retryMs, withRetries } from './retryPolicy';

/**
 * Checks that a MongoDB can serve us: it answers in time, and it is a replica set or a sharded cluster, because only
 * those have transactions. A server that refuses us or has no transactions fails at once, without a wait.
 * @throws StartError with one line that says what is wrong
 */
export async function checkMongo(uri: string, retryPolicy: RetryPolicy): Promise<void> {
  const server = mongoName(openMongoClient(uri, retryPolicy));
  const hello = await withRetries(() => mongoHello(uri, retryPolicy), retryPolicy).catch((error: unknown) => {
    const reason = firstLine(error);
    const isAway = classifyStoreFailure(error) !== undefined;
    if (error instanceof mongo.MongoServerError && !isAway) throw new StartError(`${server} refuses us (${reason})`);
    throw new StartError(`${server}: no primary answered within ${retryPolicy.waitMs / 1000} s (${reason})`);
  });
  if (typeof hello.setName === 'string' || hello.msg === 'isdbgrid') return;
  throw new StartError(
    `${server} is a standalone server, which has no transactions: start it with --replSet and run rs.initiate() once`,
  );
}

async function mongoHello(uri: string, retryPolicy: RetryPolicy): Promise<mongo.Document> {
  const client = openMongoClient(uri, retryPolicy);
  try {
    return await client.db('admin').command({ hello: 1 });
  } finally {
    await client.close();
  }
}

function mongoName({ options }: mongo.MongoClient): string {
  return `MongoDB at ${options.srvHost ?? options.hosts.join(',')}`;
}

function openMongoClient(uri: string, { waitMs, onAway }: RetryPolicy): mongo.MongoClient {
  try {
    const client = new mongo.MongoClient(uri, {
      serverSelectionTimeoutMS: waitMs,
      heartbeatFrequencyMS: retryMs,
      connectTimeoutMS: answerLimitMs,
      socketTimeoutMS: answerLimitMs,
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
