import type { Connection, mongo } from 'mongoose';
import { hourMs } from '#base/common/durations';
import { type Check, failure, first, ok, warning } from './check';

const admin = (db: Connection) => db.getClient().db('admin');

/** A parameter of the server; undefined where the user may not read it. */
async function parameter(db: Connection, name: string): Promise<number | undefined> {
  const reply: mongo.Document | undefined = await admin(db)
    .command({ getParameter: 1, [name]: 1 })
    .catch(() => undefined);
  const value = reply?.[name];
  return typeof value === 'number' ? value : undefined;
}

const neededActions = ['find', 'insert', 'update', 'remove', 'createCollection', 'createIndex', 'collMod', 'dropIndex'];

interface Privilege {
  resource: { db?: string; anyResource?: boolean };
  actions: string[];
}

/** Checks of MongoDB itself: version, guarantees, limits, rights and room. */
export const mongodbChecks: readonly Check[] = [
  {
    name: 'mongodb.version',
    async run({ db }) {
      const { version } = await admin(db).command({ buildInfo: 1 });
      const major = Number.parseInt(version, 10);
      if (major < 6) return failure(`MongoDB ${version}`, 'Upgrade MongoDB to 7 or later; this version is too old.');
      return major < 7
        ? warning(`MongoDB ${version}`, 'Upgrade MongoDB to 7 or later: 6 gets no corrections any more.')
        : ok(`MongoDB ${version}`);
    },
  },
  {
    name: 'mongodb.replicaSet',
    async run({ db, isEmbedded }) {
      const hello = await admin(db).command({ hello: 1 });
      if (hello.msg === 'isdbgrid') return ok('sharded cluster');
      if (typeof hello.setName !== 'string') {
        return failure('standalone server', 'Start it with --replSet: transactions need a replica set.');
      }
      const count = [hello.hosts].flat().length;
      const found = `replica set ${hello.setName} of ${count}`;
      if (count > 1 || isEmbedded) return ok(found);
      return warning(found, 'Add members: with one, a broken disk loses everything since the last backup.');
    },
  },
  {
    name: 'mongodb.writeConcern',
    async run({ db }) {
      const reply = await admin(db).command({ getDefaultRWConcern: 1 });
      const w: unknown = reply.defaultWriteConcern?.w ?? 1;
      const found = `default w: ${String(w)}`;
      if (w === 'majority') return ok(found);
      return warning(found, 'The service asks for majority itself; set the default to majority for all other clients.');
    },
  },
  {
    name: 'mongodb.transactions',
    async run({ db }) {
      const session = await db.startSession();
      try {
        await session.withTransaction(() => db.collection('orgs').findOne({}, { session }), { maxCommitTimeMS: 2000 });
        return ok('a transaction was committed');
      } finally {
        await session.endSession();
      }
    },
  },
  {
    name: 'mongodb.transactionLifetime',
    async run({ db }) {
      const seconds = await parameter(db, 'transactionLifetimeLimitSeconds');
      if (seconds === undefined) return ok('not shown to this user');
      const canEnd = await admin(db)
        .aggregate([{ $currentOp: { idleSessions: true } }, { $limit: 1 }], { readConcern: { level: 'local' } })
        .toArray()
        .then(
          () => true,
          () => false,
        );
      const found = `${seconds} s, own sessions ${canEnd ? 'can' : 'cannot'} be seen and ended`;
      if (canEnd && seconds <= 60) return ok(found);
      return warning(
        found,
        'Set transactionLifetimeLimitSeconds to 8: what a killed process changed is blocked that long.',
      );
    },
  },
  {
    name: 'mongodb.snapshotWindow',
    async run({ db }) {
      const seconds = await parameter(db, 'minSnapshotHistoryWindowInSeconds');
      if (seconds === undefined) return ok('not shown to this user');
      if (seconds >= 30) return ok(`${seconds} s`);
      return failure(
        `${seconds} s`,
        'Set minSnapshotHistoryWindowInSeconds to 30 or more: counts and reconcile read a past moment.',
      );
    },
  },
  { name: 'mongodb.oplog', run: ({ db }) => oplog(db) },
  {
    name: 'mongodb.rights',
    async run({ db }) {
      const { authInfo } = await admin(db).command({ connectionStatus: 1, showPrivileges: true });
      if (authInfo.authenticatedUsers.length === 0) {
        return warning('no user', 'Turn authorization on: whoever reaches MongoDB may read and change everything.');
      }
      const privileges: Privilege[] = authInfo.authenticatedUserPrivileges;
      const own = privileges.filter(
        ({ resource }) => resource.anyResource || ['', db.name].includes(resource.db ?? '?'),
      );
      const lacking = neededActions.filter((action) => !own.some(({ actions }) => actions.includes(action)));
      if (lacking.length === 0) return ok(`user ${authInfo.authenticatedUsers[0].user} may do all that is needed`);
      return failure(
        `the user may not ${lacking.join(', ')}`,
        `Give the user the role readWrite and dbAdmin on ${db.name}.`,
      );
    },
  },
  {
    name: 'mongodb.disk',
    async run({ db }) {
      const {
        fsTotalSize = 0,
        fsUsedSize = 0,
        dataSize = 0,
      } = await db.getClient().db(db.name).command({ dbStats: 1 });
      if (fsTotalSize === 0) return ok('not shown to this user');
      const free = fsTotalSize - fsUsedSize;
      const share = Math.round((100 * free) / fsTotalSize);
      const found = `${gigabytes(free)} free (${share} %), data ${gigabytes(dataSize)}`;
      if (share < 5) return failure(found, 'Add disk space now: a full disk stops every write.');
      return share < 20
        ? warning(found, 'Plan more disk space: MongoDB needs room for indexes and compaction.')
        : ok(found);
    },
  },
  {
    name: 'mongodb.connections',
    async run({ db, config }) {
      const { connections } = await admin(db).command({ serverStatus: 1 });
      const found = `${connections.current} in use, ${connections.available} free, ${config.MONGODB_MAX_POOL} a process`;
      if (connections.available >= config.MONGODB_MAX_POOL) return ok(found);
      return failure(
        found,
        'Lower MONGODB_MAX_POOL or raise the limit of MongoDB: another process cannot open its pool.',
      );
    },
  },
];

/** How long the log of operations must reach back, so that a member that was away can follow again. */
const oplogMinHours = 24;

async function oplog(db: Connection) {
  const log = db.getClient().db('local').collection('oplog.rs');
  const [stats] = await log
    .aggregate<{ storageStats: Record<string, number> }>([{ $collStats: { storageStats: {} } }])
    .toArray();
  const read = (order: 1 | -1) =>
    log
      .find({}, { projection: { wall: 1 } })
      .sort({ $natural: order })
      .limit(1)
      .next();
  const [oldest, newest] = await Promise.all([read(1), read(-1)]);
  const hours = ((newest?.wall?.getTime() ?? 0) - (oldest?.wall?.getTime() ?? 0)) / hourMs;
  const { size = 0, maxSize = 0 } = stats?.storageStats ?? {};
  const found = `${hours.toFixed(1)} h in ${gigabytes(size)} of ${gigabytes(maxSize)}`;
  const short = size > maxSize * 0.9 && hours < oplogMinHours;
  return first(
    [short && warning(found, `Enlarge the oplog to ${oplogMinHours} h: a member away for longer must copy all anew.`)],
    found,
  );
}

/** A size as people read it. */
export function gigabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
