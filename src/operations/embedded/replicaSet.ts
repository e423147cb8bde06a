import { setTimeout as delay } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { StartError } from '#base/common/startError';
import { isTemporary } from '#base/db/isTemporary';
import type { Secrets } from './secrets';

/** The user of the service in the embedded mongod. */
export const MONGOD_USER = 'loyalty';

/** The name of the embedded replica set. */
export const REPLICA_SET = 'loyalty';

// When another process has taken the old port and never answers, mongod waits 30 s for that answer before it looks at
// anything else.
const PRIMARY_LIMIT_MS = 60_000;
const POLL_MS = 20;
const ALREADY_INITIALIZED = 23;
const NOT_YET_INITIALIZED = 94;

/**
 * Makes the mongod on a loopback port the primary of a replica set of one. A new server is initiated. A server with
 * data of another port is reconfigured; otherwise it would wait for itself at the old address forever. Then the
 * service's user gets the password of the secrets. So data that was made without users, or with other secrets, stays
 * usable.
 * @throws StartError when the server does not become primary
 */
export async function ensurePrimary(port: number, { mongodKey, mongodPassword }: Secrets): Promise<void> {
  const host = `127.0.0.1:${port}`;
  // The key file makes its holder a member of the replica set, who may do anything. No user has to exist yet.
  const client = new mongo.MongoClient(`mongodb://${host}/?directConnection=true`, {
    auth: { username: '__system', password: mongodKey },
    authSource: 'local',
    authMechanism: 'SCRAM-SHA-256',
    serverSelectionTimeoutMS: PRIMARY_LIMIT_MS,
    // After an error of its state, the driver uses a server again when it has been asked again.
    serverMonitoringMode: 'poll',
    heartbeatFrequencyMS: 500,
  });
  const giveUpAt = Date.now() + PRIMARY_LIMIT_MS;
  const admin = client.db('admin');
  try {
    while (!(await isCompleted(admin, host, mongodPassword))) {
      if (Date.now() > giveUpAt) throw new StartError(`mongod on port ${port} did not become primary`);
      await delay(POLL_MS);
    }
  } finally {
    await client.close();
  }
}

/** Tells whether the server is primary and the service's user has its password. Does what is left to do for both. */
async function isCompleted(admin: mongo.Db, host: string, password: string): Promise<boolean> {
  try {
    if (!(await isPrimary(admin, host))) return false;
    const user = { pwd: password, roles: [{ role: 'root', db: 'admin' }], mechanisms: ['SCRAM-SHA-256'] };
    const { users } = await admin.command({ usersInfo: MONGOD_USER });
    await admin.command({ [users.length === 0 ? 'createUser' : 'updateUser']: MONGOD_USER, ...user });
    return true;
  } catch (error) {
    // A server that becomes primary, or leaves an old configuration, closes its connections. Another try finds it ready.
    if (isTemporary(error)) return false;
    throw error;
  }
}

/** Configures the replica set for this host where necessary, and tells whether its one member is primary now. */
async function isPrimary(admin: mongo.Db, host: string): Promise<boolean> {
  const members = [{ _id: 0, host }];
  // A mongod that is still loading its stored configuration answers both as if there were none, and refuses a new one.
  const { config } = await admin.command({ replSetGetConfig: 1 }).catch(emptyOn(NOT_YET_INITIALIZED));
  if (!config) {
    const initial = { _id: REPLICA_SET, members };
    await admin.command({ replSetInitiate: initial }).catch(emptyOn(ALREADY_INITIALIZED));
  } else if (config.members.length !== 1 || config.members[0].host !== host) {
    await admin.command({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true });
  }
  return (await admin.command({ hello: 1 })).isWritablePrimary;
}

/** Returns a handler that takes a server error with this code for an empty answer. */
function emptyOn(code: number): (error: unknown) => mongo.Document {
  return (error) => {
    if (error instanceof mongo.MongoServerError && error.code === code) return {};
    throw error;
  };
}
