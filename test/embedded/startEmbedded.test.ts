import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { mongo } from 'mongoose';
import { portFile } from '../../src/embedded/dataFiles';
import { findRunning } from '../../src/embedded/findRunning';
import { findServer } from '../../src/embedded/serverProcess';
import { startEmbedded } from '../../src/embedded/startEmbedded';
import { embeddedOptions } from '../support/embeddedOptions';
import { type Owner, startOwner } from './startOwner';

let dataDir: string;
let owners: Owner[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'loyalty-embedded-'));
});

afterEach(async () => {
  await Promise.all(owners.map((owner) => owner.end('SIGTERM')));
  owners = [];
  await until(() => processesOf(dataDir).length === 0);
  rmSync(dataDir, { recursive: true, force: true });
});

describe('start and stop', () => {
  test('what a stopped service wrote is there after the next start, and nothing runs in between', async () => {
    const first = await startEmbedded(embeddedOptions(dataDir));
    await writeMark(first, 'kept');
    await first.stop();
    expect(processesOf(dataDir)).toEqual([]);
    expect(findRunning(dataDir)).toBeUndefined();

    const second = await startEmbedded(embeddedOptions(dataDir));
    const marks = await readMarks(second);
    await second.stop();
    expect(marks).toEqual({ mongodb: 'kept', redis: 'kept' });
  });

  test('the servers run as batch processes where the system can do that, and all the same where it cannot', async () => {
    const first = await startEmbedded(embeddedOptions(dataDir));
    const policies = processesOf(dataDir).map(policyOf);
    await first.stop();
    expect(policies.filter((policy) => policy === batchPolicy)).toHaveLength(
      spawnSync('sh', ['-c', 'chrt -b 0 true']).status === 0 ? 2 : 0,
    );

    const second = await startOwner(dataDir, { PATH: shellAlone(dataDir) });
    owners.push(second);
    expect(second.answer).toMatchObject({ mongodbUri: expect.any(String), redisUrl: expect.any(String) });
    expect(processesOf(dataDir).map(policyOf)).not.toContain(batchPolicy);
  });

  test('the next start moves the replica set when its port is taken meanwhile', async () => {
    const first = await startEmbedded(embeddedOptions(dataDir));
    await writeMark(first, 'moved');
    await first.stop();
    const squatter = await listenOn(Number(new URL(first.mongodbUri).port));

    const second = await startEmbedded(embeddedOptions(dataDir));
    const marks = await readMarks(second);
    await second.stop();
    squatter.close();
    expect(second.mongodbUri).not.toBe(first.mongodbUri);
    expect(marks.mongodb).toBe('moved');
  });

  test('a foreign server on the remembered port is left alone', async () => {
    const otherDir = mkdtempSync(path.join(tmpdir(), 'loyalty-embedded-'));
    const other = await startEmbedded(embeddedOptions(otherDir));
    for (const name of ['mongod', 'redis-server'] as const)
      copyFileSync(portFile(otherDir, name), portFile(dataDir, name));
    const services = await startEmbedded(embeddedOptions(dataDir));
    await writeMark(services, 'mine');
    const marks = await readMarks(other);
    await Promise.all([services.stop(), other.stop()]);
    rmSync(otherDir, { recursive: true });
    expect(marks).toEqual({ mongodb: undefined, redis: null });
  });

  test('a given server is used and no other started', async () => {
    const options = { ...embeddedOptions(dataDir), mongodbUri: 'mongodb://given/loyalty' };
    const services = await startEmbedded(options);
    const running = findRunning(dataDir);
    await services.stop();
    expect(services.mongodbUri).toBe('mongodb://given/loyalty');
    expect(running).toEqual({ redisUrl: services.redisUrl });
  });

  test('a start that fails in the middle leaves no process and can be repeated', async () => {
    const options = { ...embeddedOptions(dataDir), redisServerBinary: '/nowhere/redis-server' };
    await expect(startEmbedded(options)).rejects.toThrow(
      'the configured redis-server /nowhere/redis-server cannot be used',
    );
    expect(processesOf(dataDir)).toEqual([]);
    const services = await startEmbedded(embeddedOptions(dataDir));
    await services.stop();
  });

  test('a mongod that cannot start is explained in one line that names its log', async () => {
    const setParameters = { noSuchParameter: 1 };
    const starting = startEmbedded({ ...embeddedOptions(dataDir), mongod: { setParameters } });
    await expect(starting).rejects.toThrow(/^mongod \(.+\) did not start: ended with code \d+; see .+mongod\.log$/);
    expect(processesOf(dataDir)).toEqual([]);
  });
});

describe('owners', () => {
  test('servers end when their owner is killed', async () => {
    const owner = await startOwner(dataDir);
    expect(processesOf(dataDir)).toHaveLength(3);
    await owner.end('SIGKILL');
    await until(() => processesOf(dataDir).length === 0);
  });

  test('a start that finds orphans alive takes them over', async () => {
    const first = await startOwner(dataDir);
    const mongod = findServer(dataDir, 'mongod');
    await first.end('SIGKILL');
    const second = await startEmbedded(embeddedOptions(dataDir));
    const takenOver = findServer(dataDir, 'mongod');
    await delay(3000); // longer than the first owner's watchdog waits
    const afterwards = findServer(dataDir, 'mongod');
    await second.stop();
    expect(second).toMatchObject(first.answer);
    expect(takenOver).toEqual(mongod);
    expect(afterwards).toEqual(mongod);
  });

  test('a start that finds orphans being ended starts new servers with the same data', async () => {
    const first = await startOwner(dataDir);
    await writeMark(first.answer, 'kept');
    await first.end('SIGKILL');
    await until(() => findServer(dataDir, 'redis-server') === undefined);
    const second = await owned(dataDir);
    expect(await readMarks(second.answer)).toEqual({ mongodb: 'kept', redis: 'kept' });
  });

  test('a second start of the same directory is refused while the first lives, and does not disturb it', async () => {
    const first = await owned(dataDir);
    const second = await startOwner(dataDir);
    expect(second.answer.error).toBe(
      `already running as pid ${first.child.pid} with DATA_DIR ${dataDir}: stop it, or set another DATA_DIR and PORT`,
    );
    await writeMark(first.answer, 'undisturbed');
  });

  test('of many starts at once one wins', async () => {
    const starts = await Promise.all([1, 2, 3, 4].map(() => startOwner(dataDir)));
    owners = starts.filter((owner) => owner.answer.error === undefined);
    expect(owners).toHaveLength(1);
  });

  test('after everything was killed at once the next start has all data', async () => {
    const first = await startOwner(dataDir);
    await writeMark(first.answer, 'durable');
    const servers = processesOf(dataDir);
    first.child.kill('SIGKILL');
    for (const pid of servers) process.kill(pid, 'SIGKILL');
    await first.end('SIGKILL');
    const second = await owned(dataDir);
    expect(await readMarks(second.answer)).toMatchObject({ mongodb: 'durable' });
  });

  test('a server that is killed under a living owner is started again at the same place', async () => {
    const owner = await owned(dataDir);
    await writeMark(owner.answer, 'back');
    const mongod = findServer(dataDir, 'mongod');
    process.kill(mongod?.identity.pid ?? 0, 'SIGKILL');
    expect(await readMarks(owner.answer)).toMatchObject({ mongodb: 'back' });
    expect(findServer(dataDir, 'mongod')).toMatchObject({ port: mongod?.port });
  });
});

async function owned(directory: string): Promise<Owner> {
  const owner = await startOwner(directory);
  owners.push(owner);
  return owner;
}

interface Uris {
  mongodbUri?: string;
  redisUrl?: string;
}

async function writeMark({ mongodbUri = '', redisUrl = '' }: Uris, text: string): Promise<void> {
  const client = new mongo.MongoClient(mongodbUri);
  const redis = new Redis(redisUrl);
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await client.db().collection('marks').insertOne({ text }, { session });
    }),
  );
  await redis.set('mark', text);
  await client.close();
  redis.disconnect();
}

async function readMarks({ mongodbUri = '', redisUrl = '' }: Uris) {
  const client = new mongo.MongoClient(mongodbUri);
  const redis = new Redis(redisUrl);
  const mark = await client.db().collection('marks').findOne();
  const marks = { mongodb: mark?.text, redis: await redis.get('mark') };
  await client.close();
  redis.disconnect();
  return marks;
}

/** The pids the directory's pid files name, without its owner, as far as they run. */
function processesOf(directory: string): number[] {
  const files = readdirSync(directory).filter((name) => name.endsWith('.pid') && name !== 'owner.pid');
  const pids = files.map((name) => Number(readFileSync(path.join(directory, name), 'utf8').split(' ')[0]));
  return pids.filter(isRunning);
}

/** The number of `SCHED_BATCH`. */
const batchPolicy = 3;

/** How Linux schedules a process: the 41st field of its `stat`. */
function policyOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  return Number(afterName.split(' ')[38]);
}

/** A folder for PATH with a shell and what the watchdog calls, and nothing else. */
function shellAlone(directory: string): string {
  const folder = path.join(directory, 'bin');
  mkdirSync(folder);
  for (const name of ['sh', 'sleep', 'rm', 'ps']) symlinkSync(`/bin/${name}`, path.join(folder, name));
  return folder;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(holds: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 20_000;
  while (!holds() && Date.now() < giveUpAt) await delay(20);
  expect(holds()).toBe(true);
}

function listenOn(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
