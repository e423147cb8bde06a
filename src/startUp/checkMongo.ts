import { mongo } from 'mongoose';
import { StartError } from '../common/startError';
import { answerLimitMs, firstLine, type Patience, retryMs } from './patience';

/**
 * Checks that a MongoDB can serve us: it answers in time, and it is a replica set or a sharded cluster, because only
 * those have transactions. A server that refuses us or has no transactions fails at once, without a wait.
 * @throws StartError with one line that says what is wrong
 */
export async function checkMongo(uri: string, patience: Patience): Promise<void> {
  const client = mongoClientOf(uri, patience);
  const server = mongoNameOf(client);
  try {
    const hello = await client.db('admin').command({ hello: 1 });
    const hasTransactions = typeof hello.setName === 'string' || hello.msg === 'isdbgrid';
    if (hasTransactions) return;
  } catch (error) {
    const reason = firstLine(error);
    if (error instanceof mongo.MongoServerError) throw new StartError(`${server} refuses us (${reason})`);
    throw new StartError(`${server}: no primary answered within ${patience.waitMs / 1000} s (${reason})`);
  } finally {
    await client.close();
  }
  throw new StartError(
    `${server} is a standalone server, which has no transactions: start it with --replSet and run rs.initiate() once`,
  );
}

function mongoNameOf({ options }: mongo.MongoClient): string {
  return `MongoDB at ${options.srvHost ?? options.hosts.join(',')}`;
}

function mongoClientOf(uri: string, { waitMs, onAway }: Patience): mongo.MongoClient {
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
