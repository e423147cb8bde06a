import { Redis } from 'ioredis';
import { mongo } from 'mongoose';

interface Uris {
  mongodbUri?: string;
  redisUrl?: string;
}

/** Connects to Redis. While the server is away, commands wait; nothing is printed. */
function connect(redisUrl: string): Redis {
  return new Redis(redisUrl).on('error', () => undefined);
}

/** Writes a text into both servers; into MongoDB in a transaction. */
export async function writeMark({ mongodbUri = '', redisUrl = '' }: Uris, text: string): Promise<void> {
  const client = new mongo.MongoClient(mongodbUri);
  const redis = connect(redisUrl);
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await client.db().collection('marks').insertOne({ text }, { session });
    }),
  );
  await redis.set('mark', text);
  await client.close();
  redis.disconnect();
}

/** Reads what {@link writeMark} wrote. */
export async function readMarks({ mongodbUri = '', redisUrl = '' }: Uris) {
  const client = new mongo.MongoClient(mongodbUri);
  const redis = connect(redisUrl);
  const mark = await client.db().collection('marks').findOne();
  const marks = { mongodb: mark?.text, redis: await redis.get('mark') };
  await client.close();
  redis.disconnect();
  return marks;
}
