import { ObjectId } from 'bson';
import { mongo } from 'mongoose';
import type { BenchWorld } from './benchWorld';
import { type Rate, rateOf } from './rate';

const inFlight = 64;

/**
 * The baseline (a): one driver transaction per activity with the documents that the service writes for one, 64 in
 * flight, no HTTP, no rules.
 */
export async function measureBaseline(world: BenchWorld, seconds: { warmUp: number; measured: number }): Promise<Rate> {
  const uri = world.services.config.MONGODB_URI ?? '';
  const client = await new mongo.MongoClient(uri, { maxPoolSize: inFlight }).connect();
  const db = client.db('baseline');
  const templates = await readTemplates(client.db());
  for (const name of [...Object.keys(templates), 'members']) await copyIndexes(client.db(), db, name);
  await db.collection('members').insertMany(await client.db().collection('members').find().toArray());
  let done = 0;
  let isEnded = false;
  const post = async (n: number) => {
    const member = world.members[n % world.members.length]?._id ?? new ObjectId();
    done += 1;
    await transact(client, db, templates, member, done);
  };
  const lanes = Array.from({ length: inFlight }, async (_unused, lane) => {
    for (let n = lane; !isEnded; n += inFlight) await post(n);
  });
  const rate = await rateOf(() => done, seconds);
  isEnded = true;
  await Promise.all(lanes);
  await db.dropDatabase();
  await client.close();
  return rate;
}

type Templates = Record<'activityhistories' | 'accrualitems' | 'journal' | 'metricevents', mongo.Document>;

/** The documents that the service wrote for one activity. */
async function readTemplates(db: mongo.Db): Promise<Templates> {
  const one = async (name: string) => {
    const found = await db.collection(name).findOne();
    if (!found) throw new Error(`no document in ${name}`);
    return found;
  };
  return {
    activityhistories: await one('activityhistories'),
    accrualitems: await one('accrualitems'),
    journal: await one('journal'),
    metricevents: await one('metricevents'),
  };
}

/** The same indexes, so that both pay for them. */
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
        for (const [name, template] of Object.entries(templates)) {
          const own = { _id: new ObjectId(), member, memberID: member, activity: new ObjectId(), seq };
          await db.collection(name).insertOne({ ...template, ...own }, { session });
        }
        await db
          .collection('members')
          .updateOne({ _id: member }, { $inc: { version: 1 }, $set: { updatedAt: new Date() } }, { session });
      },
      { writeConcern: { w: 'majority', journal: true } },
    );
  } finally {
    await session.endSession();
  }
}
