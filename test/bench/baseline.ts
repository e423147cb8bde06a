import { ObjectId } from 'bson';
import { mongo } from 'mongoose';
import type { BenchWorld } from './benchWorld';
import { type Rate, rateOf, type Seconds } from './rate';

const inFlight = 64;

/**
 * The baseline (a): one driver transaction per activity with the documents that the service writes for one, 64 in
 * flight, no HTTP, no rules. What the service writes is looked at once, when one activity was posted.
 */
export async function prepareBaseline(world: BenchWorld): Promise<(seconds: Seconds) => Promise<Rate>> {
  const uri = world.services.config.MONGODB_URI ?? '';
  const client = await new mongo.MongoClient(uri).connect();
  const templates = await readTemplates(client.db());
  await client.close();
  return (seconds) => measureBaseline(world, templates, seconds);
}

async function measureBaseline(world: BenchWorld, templates: Templates, seconds: Seconds): Promise<Rate> {
  const uri = world.services.config.MONGODB_URI ?? '';
  const client = await new mongo.MongoClient(uri, { maxPoolSize: inFlight }).connect();
  const db = client.db('baseline');
  for (const name of Object.keys(templates)) await copyIndexes(client.db(), db, name);
  await db.collection('members').insertMany(await client.db().collection('members').find().toArray());
  let started = 0;
  let done = 0;
  let isEnded = false;
  const post = async (n: number) => {
    const member = world.members[n % world.members.length]?._id ?? new ObjectId();
    started += 1;
    await transact(client, db, templates, member, started);
    done += 1;
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

const inserted = ['activityhistories', 'accrualitems', 'journal', 'metricevents'] as const;

type Templates = Record<(typeof inserted)[number] | 'members', mongo.Document>;

/** The documents that the service wrote for one activity, and the member as it left it. */
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
