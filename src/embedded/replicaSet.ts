import { setTimeout as delay } from 'node:timers/promises';
import { mongo } from 'mongoose';

/** The name of the embedded replica set. */
export const REPLICA_SET = 'loyalty';

const PRIMARY_LIMIT_MS = 30_000;
const POLL_MS = 20;
const NOT_INITIALIZED = 94;

/**
 * Makes the mongod on a loopback port the primary of a replica set of one: a new one is initiated; one that remembers another port
 * in its data is told the new one, else it would wait for ever for itself at the old address.
 */
export async function ensurePrimary(port: number): Promise<void> {
  const client = new mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: PRIMARY_LIMIT_MS,
  });
  try {
    const admin = client.db('admin');
    await configure(admin, `127.0.0.1:${port}`);
    await waitForPrimary(admin);
  } finally {
    await client.close();
  }
}

async function configure(admin: mongo.Db, host: string): Promise<void> {
  const config = await readConfig(admin);
  if (!config) {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
    return;
  }
  const isSame = config.members.length === 1 && config.members[0]?.host === host;
  if (isSame) return;
  const moved = { ...config, version: config.version + 1, members: [{ _id: 0, host }] };
  await admin.command({ replSetReconfig: moved, force: true });
}

interface ReplicaSetConfig {
  version: number;
  members: { host: string }[];
}

async function readConfig(admin: mongo.Db): Promise<ReplicaSetConfig | undefined> {
  try {
    const { config } = await admin.command({ replSetGetConfig: 1 });
    return config;
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === NOT_INITIALIZED) return undefined;
    throw error;
  }
}

async function waitForPrimary(admin: mongo.Db): Promise<void> {
  const giveUpAt = Date.now() + PRIMARY_LIMIT_MS;
  while (!(await admin.command({ hello: 1 })).isWritablePrimary) {
    if (Date.now() > giveUpAt) throw new Error('it did not become primary');
    await delay(POLL_MS);
  }
}
