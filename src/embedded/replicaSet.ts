import { setTimeout as delay } from 'node:timers/promises';
import { mongo } from 'mongoose';
import type { Secrets } from './secrets';

/** What a private mongod asks for. */
export type MongodSecrets = Pick<Secrets, 'mongodPassword' | 'mongodKey'>;

/** The user of the service in the embedded mongod. */
export const MONGOD_USER = 'loyalty';

/** The name of the embedded replica set. */
export const REPLICA_SET = 'loyalty';

// A mongod whose old port is taken by somebody who never answers waits 30 s for that answer before it looks at anything else.
const PRIMARY_LIMIT_MS = 60_000;
const POLL_MS = 20;
const ALREADY_INITIALIZED = 23;
const NOT_YET_INITIALIZED = 94;

/**
 * Makes the mongod on a loopback port the primary of a replica set of one: a new one is initiated; one that remembers another port
 * in its data is told the new one, else it would wait for ever for itself at the old address. Then the service's user has the
 * password of the secrets, whatever was before: data that was made without users, or with other secrets, goes on. Rejects, and
 * changes nothing, when the port belongs to another process than `pid`.
 */
export async function ensurePrimary(port: number, pid: number, secrets: MongodSecrets): Promise<void> {
  const client = new mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    ...asMember(secrets),
    serverSelectionTimeoutMS: PRIMARY_LIMIT_MS,
  });
  const giveUpAt = Date.now() + PRIMARY_LIMIT_MS;
  const admin = client.db('admin');
  const poll = async (isDone: () => Promise<boolean>): Promise<void> => {
    while (!(await isDone())) {
      if (Date.now() > giveUpAt) throw new Error('it did not become primary');
      await delay(POLL_MS);
    }
  };
  try {
    const status = await admin.command({ serverStatus: 1 });
    if (Number(status.pid) !== pid) throw new Error(`another mongod listens on port ${port}`);
    await poll(() => configure(admin, `127.0.0.1:${port}`));
    await poll(async () => (await admin.command({ hello: 1 })).isWritablePrimary === true);
    await setPassword(admin, secrets.mongodPassword);
  } finally {
    await client.close();
  }
}

/** Whoever has the key file is a member of the replica set and may do anything; no user need be there yet. */
function asMember({ mongodKey }: MongodSecrets): mongo.MongoClientOptions {
  return { auth: { username: '__system', password: mongodKey }, authSource: 'local', authMechanism: 'SCRAM-SHA-256' };
}

async function setPassword(admin: mongo.Db, pwd: string): Promise<void> {
  const user = { pwd, roles: [{ role: 'root', db: 'admin' }], mechanisms: ['SCRAM-SHA-256'] };
  const { users } = await admin.command({ usersInfo: MONGOD_USER });
  await admin.command({ [users.length === 0 ? 'createUser' : 'updateUser']: MONGOD_USER, ...user });
}

/** Tells whether the replica set is configured for this host; not so while mongod is still loading the configuration it remembers. */
async function configure(admin: mongo.Db, host: string): Promise<boolean> {
  const config = await readConfig(admin);
  if (!config) return initiate(admin, host);
  const isSame = config.members.length === 1 && config.members[0]?.host === host;
  if (isSame) return true;
  const moved = { ...config, version: config.version + 1, members: [{ _id: 0, host }] };
  await admin.command({ replSetReconfig: moved, force: true });
  return true;
}

async function initiate(admin: mongo.Db, host: string): Promise<boolean> {
  try {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
    return true;
  } catch (error) {
    if (hasCode(error, ALREADY_INITIALIZED)) return false;
    throw error;
  }
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
    if (hasCode(error, NOT_YET_INITIALIZED)) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof mongo.MongoServerError && error.code === code;
}
