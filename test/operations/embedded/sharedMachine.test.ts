import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { mongo } from 'mongoose';
import { findBinary } from '#operations/embedded/binaries/findBinary';
import { freePort } from '#operations/embedded/freePort';
import { claimOwnership } from '#operations/embedded/ownership';
import { loadSecrets } from '#operations/embedded/secrets';
import { MONGOD } from '#operations/embedded/servers';
import { type EmbeddedServices, startEmbedded } from '#operations/embedded/startEmbedded';
import { supervise } from '#operations/embedded/supervise';
import { embeddedOptions } from '../../support/embeddedOptions';
import { drawn } from '../../support/scale';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'loyalty-shared-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function withClient<T>(uri: string, work: (client: mongo.MongoClient) => Promise<T>): Promise<T> {
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: 20_000 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { retryStrategy: () => null, enableReadyCheck: false });
  redis.on('error', () => undefined);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

/** Removes the credentials from a URI. Another user of the machine knows only the ports. */
function withoutCredentials(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  url.search = url.protocol === 'mongodb:' ? '?directConnection=true' : '';
  return url.href;
}

/** Returns every file and folder to which the group or others have any access. */
function openToOthers(directory: string): string[] {
  return [directory, ...readdirSync(directory, { recursive: true }).map((name) => path.join(directory, String(name)))]
    .map((place) => ({ place, stat: lstatSync(place, { throwIfNoEntry: false }) }))
    .filter(({ stat }) => stat && !stat.isSymbolicLink() && (stat.mode & 0o077) !== 0)
    .map(({ place }) => place);
}

describe('embedded servers on a shared machine', () => {
  let services: EmbeddedServices;
  let runDir: string;
  beforeAll(async () => {
    runDir = mkdtempSync(path.join(tmpdir(), 'loyalty-shared-'));
    // Somebody who did not think of other users made this folder.
    chmodSync(runDir, 0o755);
    services = await startEmbedded(embeddedOptions(runDir));
  });
  afterAll(async () => {
    await services.stop();
    rmSync(runDir, { recursive: true });
  });

  const commands: [string, mongo.Document][] = [
    ['reading', { find: 'users' }],
    ['writing', { insert: 'users', documents: [{ a: 1 }] }],
    ['listing', { listCollections: 1 }],
    ['making a user', { createUser: 'stranger', pwd: 'x', roles: ['root'] }],
    ['stopping', { shutdown: 1 }],
  ];
  test.each(commands)('mongod refuses a stranger %s', async (_name, command) => {
    await withClient(withoutCredentials(services.mongodbUri), async (client) => {
      for (const name of ['loyalty', 'admin']) {
        await expect(client.db(name).command(command)).rejects.toMatchObject({ code: expect.any(Number), ok: 0 });
      }
    });
  });

  test('redis-server refuses a stranger everything', async () => {
    const { port, hostname } = new URL(services.redisUrl);
    const socket = connect(Number(port), hostname);
    for (const line of ['GET a', 'SET a b', 'CONFIG GET dir', 'INFO', 'PING', 'CLIENT LIST', 'ACL WHOAMI']) {
      socket.write(`${line}\r\n`);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^-(NOAUTH|ERR unknown command)/);
    }
    socket.write('AUTH default x\r\n');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^-WRONGPASS/);
    socket.destroy();
  });

  test.each([
    'CONFIG SET dir /tmp',
    'CONFIG GET *',
    'MODULE LOAD /tmp/a.so',
    'MODULE LIST',
    'DEBUG SLEEP 0',
    'REPLICAOF 127.0.0.1 1',
    'SLAVEOF NO ONE',
    'ACL SETUSER default on',
    'SAVE',
    'BGSAVE',
    'BGREWRITEAOF',
    'SHUTDOWN NOSAVE',
    'MIGRATE 127.0.0.1 1 a 0 1',
    'MONITOR',
    'SYNC',
  ])('redis-server refuses even the service: %s', async (line) => {
    const [name = '', ...args] = line.split(' ');
    await withRedis(services.redisUrl, async (redis) => {
      await expect(redis.call(name, ...args)).rejects.toThrow(/NOPERM|unknown command/);
      expect(await redis.ping()).toBe('PONG');
    });
  });

  test('no password is in the arguments of a process, in a log or in a file that is not made for it', () => {
    const { mongodPassword, mongodKey, redisPassword, jwtSecret, adminPassword } = loadSecrets(runDir);
    const secrets = [mongodPassword, mongodKey, redisPassword, jwtSecret, adminPassword];
    const seen = execFileSync('ps', ['-eww', '-o', 'args='], { encoding: 'utf8' });
    expect(seen).toContain(runDir);
    expect(secrets.filter((secret) => seen.includes(secret))).toEqual([]);
    const files = readdirSync(runDir).filter((name) => statSync(path.join(runDir, name)).isFile());
    const telling = files.filter((name) => {
      const text = readFileSync(path.join(runDir, name), 'utf8');
      return secrets.some((secret) => text.includes(secret));
    });
    expect(telling.sort()).toEqual(['mongod.key', 'redis-server.conf', 'secrets.json']);
  });

  test('the folder and all that the service makes in it are closed to others', async () => {
    await withClient(services.mongodbUri, (client) => client.db().collection('marks').insertOne({ a: 1 }));
    await withRedis(services.redisUrl, (redis) => redis.set('mark', 'a'));
    expect(readdirSync(path.join(runDir, 'redis'))).not.toEqual([]);
    expect(readdirSync(path.join(runDir, 'mongodb')).length).toBeGreaterThan(10);
    expect(openToOthers(runDir)).toEqual([]);
  });

  test('the log of mongod keeps nothing that clients sent, whatever went wrong', async () => {
    const mark = 'mark-of-a-member';
    await withClient(services.mongodbUri, async (client) => {
      const db = client.db('logged');
      const members = db.collection('members');
      await db.command({ profile: 0, slowms: 0, sampleRate: 1 });
      await members.insertMany(Array.from({ length: 3000 }, (_, n) => ({ email: `${mark}-${n % 7}`, n })));
      await members.insertOne({ _id: mark as never });
      await expect(members.insertOne({ _id: mark as never })).rejects.toMatchObject({ code: 11000 });
      await expect(members.createIndex({ email: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
      await expect(members.find({ email: { $regex: `(${mark}` } }).toArray()).rejects.toThrow();
      const slow = { email: { $regex: `^(.*${mark}.*)+x$` } };
      await members
        .find(slow)
        .maxTimeMS(1)
        .toArray()
        .catch(() => undefined);
      await members.distinct('n', slow, { maxTimeMS: 1 }).catch(() => undefined);
      await members
        .aggregate([{ $match: slow }], { maxTimeMS: 1 })
        .toArray()
        .catch(() => undefined);
      await expect(db.command({ find: 'members', filter: { $nonsense: mark } })).rejects.toThrow();
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await members.updateOne({ n: 5 }, { $set: { email: mark } }, { session });
          await delay(150);
        }),
      );
    });
    await delay(500);
    const log = readFileSync(path.join(runDir, 'mongod.log'), 'utf8');
    expect(log).toContain('"msg":"Waiting for connections"');
    expect(log).toContain('"msg":"Slow query"');
    expect(log).not.toContain(mark);
  });
});

test('data that was made without credentials still works, and requires them from then on', async () => {
  const options = embeddedOptions(dataDir);
  const binary = await findBinary(MONGOD, { ...options, explicit: options.mongodBinary });
  const dbPath = path.join(dataDir, 'mongodb');
  mkdirSync(dbPath);
  const port = await freePort();
  const args = ['--dbpath', dbPath, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', 'loyalty'];
  const { name, readyText } = MONGOD;
  const program = { name, binary, args, logFile: path.join(dataDir, 'mongod.log'), readyText };
  const stopServer = await supervise(dataDir, [program], () => undefined);
  await withClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, async (client) => {
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
    await client.db('admin').command({ replSetInitiate: { _id: 'loyalty', members } });
    // A server that becomes primary may close its connections.
    const isPrimary = async () => (await client.db('admin').command({ hello: 1 })).isWritablePrimary;
    while (!(await isPrimary().catch(() => false))) await delay(50);
    await client.db('loyalty').collection('marks').insertOne({ text: 'old' });
  });
  await stopServer();
  const oldSecrets = { jwtSecret: 'x'.repeat(43), adminPassword: 'y'.repeat(16) };
  writeFileSync(path.join(dataDir, 'secrets.json'), JSON.stringify(oldSecrets));

  const services = await startEmbedded({ ...options, redisUrl: 'redis://given' });
  const mark = await withClient(services.mongodbUri, (client) => client.db().collection('marks').findOne());
  const refused = await withClient(withoutCredentials(services.mongodbUri), (client) =>
    client
      .db('loyalty')
      .collection('marks')
      .findOne()
      .catch((error: mongo.MongoServerError) => error.codeName),
  );
  await services.stop();
  expect(mark?.text).toBe('old');
  expect(refused).toBe('Unauthorized');
  expect(loadSecrets(dataDir)).toMatchObject(oldSecrets);
});

const failures: [string, object][] = [
  ['a lost connection', { closeConnection: true }],
  ['not primary any more', { errorCode: 10107 }],
  ['interrupted by a change of state', { errorCode: 11602 }],
];

/** Each command of a start with one failure, another one in other runs; the long form has all. */
const failedCommands = ['replSetGetConfig', 'replSetInitiate', 'usersInfo', 'createUser'].flatMap((command) => {
  const each = drawn(failures);
  return each.map(([name, failure]) => ({ command, name, failure }));
});

test.each(failedCommands)('a start continues after its command $command fails: $name', async ({ command, failure }) => {
  const failPoint = JSON.stringify({ mode: { times: 1 }, data: { failCommands: [command], ...failure } });
  const options = embeddedOptions(dataDir);
  const mongodArgs = [...(options.mongodArgs ?? []), '--setParameter', `failpoint.failCommand=${failPoint}`];
  const services = await startEmbedded({ ...options, mongodArgs, redisUrl: 'redis://given' });
  const ping = await withClient(services.mongodbUri, (client) => client.db().command({ ping: 1 }));
  await services.stop();
  expect(ping.ok).toBe(1);
});

test('with new secrets the old data works and the old credentials end', async () => {
  const first = await startEmbedded(embeddedOptions(dataDir));
  await withClient(first.mongodbUri, (client) => client.db().collection('marks').insertOne({ text: 'kept' }));
  await withRedis(first.redisUrl, (redis) => redis.set('mark', 'kept'));
  await first.stop();
  rmSync(path.join(dataDir, 'secrets.json'));
  const second = await startEmbedded(embeddedOptions(dataDir));
  const mark = await withClient(second.mongodbUri, (client) => client.db().collection('marks').findOne());
  const kept = await withRedis(second.redisUrl, (redis) => redis.get('mark'));
  const refused = await withClient(first.mongodbUri, (client) =>
    client
      .db()
      .command({ ping: 1 })
      .catch((error: mongo.MongoServerError) => error.codeName),
  );
  await second.stop();
  expect([mark?.text, kept, refused]).toEqual(['kept', 'kept', 'AuthenticationFailed']);
});

test('a folder of another user is refused and not changed', () => {
  const isRoot = process.getuid?.() === 0;
  const foreign = isRoot ? dataDir : '/';
  if (isRoot) chownSync(foreign, 65_534, 65_534);
  const before = statSync(foreign).mode;
  expect(() => claimOwnership(foreign)).toThrow(
    /^DATA_DIR \S+ belongs to another user \(uid \d+, this process runs as \d+\)/,
  );
  expect(statSync(foreign).mode).toBe(before);
});
