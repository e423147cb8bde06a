import { ObjectId } from 'bson';
import { mongo } from 'mongoose';
import type { BenchWorld } from './benchWorld';
import { type Rate, rateOf, type Seconds } from './rate';

const inFlight = 64;

/**
 * The baseline (a): one driver transaction per activity, 64 in flight, without HTTP and rules. Each transaction writes
 * the same documents as the service does for one activity. The documents stay until the baseline is closed, so that its
 * collections and indexes grow like those of the service.
 */
export interface Baseline {
  measure(seconds: Seconds): Promise<Rate>;
  close(): Promise<void>;
}

/**
 * Reads the documents that the service wrote for one activity, and prepares the same collections. Needs a posted
 * activity.
 */
export async function openBaseline(world: BenchWorld): Promise<Baseline> {
  const uri = world.services.config.MONGODB_URI ?? '';
  const client = await new mongo.MongoClient(uri, { maxPoolSize: inFlight }).connect();
  const templates = await readTemplates(client.db());
  const db = client.db('baseline');
  for (const name of Object.keys(templates)) await copyIndexes(client.db(), db, name);
  await db.collection('members').insertMany(await client.db().collection('members').find().toArray());
  let seq = 0;
  const post = () => {
    seq += 1;
    const member = world.members[seq % world.members.length]?._id ?? new ObjectId();
    return transact(client, db, templates, member, seq);
  };
  return { measure: (seconds) => measureBaseline(post, seconds), close: () => client.close() };
}

async function measureBaseline(post: () => Promise<void>, seconds: Seconds): Promise<Rate> {
  let done = 0;
  let isEnded = false;
  const lanes = Array.from({ length: inFlight }, async () => {
    while (!isEnded) {
      await post();
      done += 1;
    }
  });
  const rate = await rateOf(() => done, seconds);
  isEnded = true;
  await Promise.all(lanes);
  return rate;
}

const inserted = ['activityhistories', 'accrualitems', 'journal', 'metricevents'] as const;

type Templates = Record<(typeof inserted)[number] | 'members', mongo.Document>;

/** Reads the documents that the service wrote for one activity, and its member afterwards. */
async function readTemplates(db: mongo.Db): Promise<Templates> {
  const one = async (name: string, filter = {}) => {
    const found = await db.collection(name).findOne(filter);
    if (!found) throw new Error(`no document in ${name}`);
    return found;
  };
  const [activityhistories, accrualitems, journal, metricevents, members] = await Promise.all([
    ...inserted.map((name) => one(name)),
    one('members', { processedAccruals: { $gt: 0 } }),
  ]);
  if (!activityhistories || !accrualitems || !journal || !metricevents || !members)
    throw new Error('nothing posted yet');
  return { activityhistories, accrualitems, journal, metricevents, members };
}

/** Creates the same indexes, so that the baseline has the same cost for them. */
async function copyIndexes(from: mongo.Db, to: mongo.Db, name: string): Promise<void> {
  await to.createCollection(name);
  const indexes = await from.collection(name).indexes();
  for (const { key, v: _v, ...options } of indexes) await to.collection(name).createIndex(key, options);
}

async function transact(
  client: mongo.MongoClient,
  db: mongo.Db,
  templates: Templates,
  member: ObjectId,
  seq: number,
): Promise<void> {
  const session = client.startSession();
  try {
    await session.withTransaction(
      async () => {
        for (const name of inserted) {
          const own = { _id: new ObjectId(), member, memberID: member, activity: new ObjectId(), seq };
          await db.collection(name).insertOne({ ...templates[name], ...own }, { session });
        }
        const { purses, aggregates, processedAccruals } = templates.members;
        const set = { purses, aggregates, processedAccruals, seq, updatedAt: new Date() };
        await db.collection('members').updateOne({ _id: member }, { $inc: { version: 1 }, $set: set }, { session });
      },
      { writeConcern: { w: 'majority', journal: true } },
    );
  } finally {
    await session.endSession();
  }
}
