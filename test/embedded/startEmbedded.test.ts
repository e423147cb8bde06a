import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { portFile } from '../../src/embedded/dataFiles';
import { findRunning } from '../../src/embedded/findRunning';
import { findServer } from '../../src/embedded/serverProcess';
import { startEmbedded } from '../../src/embedded/startEmbedded';
import { embeddedOptions } from '../support/embeddedOptions';
import { testStores } from '../support/stores';
import { readMarks, writeMark } from './marks';
import { batchPolicy, policyOf, processesOf } from './serverProcesses';
import { type Owner, startOwner } from './startOwner';
import { startWithout } from './startWithout';

/** What a test has for itself; its owners are ended after it. */
interface Place {
  dataDir: string;
  owners: Owner[];
}

/** The tests mostly wait for servers to start and to end, so several run at once, each in a data directory of its own. */
function testInPlace(title: string, run: (place: Place) => Promise<void>): void {
  test.concurrent(title, async () => {
    const place: Place = { dataDir: mkdtempSync(path.join(tmpdir(), 'loyalty-embedded-')), owners: [] };
    try {
      await run(place);
    } finally {
      await Promise.all(place.owners.map((owner) => owner.end('SIGTERM')));
      await until(() => processesOf(place.dataDir).length === 0);
      rmSync(place.dataDir, { recursive: true, force: true });
    }
  });
}

const stores = testStores();
afterAll(() => stores.drop());

// First, because it takes longest.
test.concurrent('an API and a worker wait 30 s for a store, tell so once a second, then exit with 1 and say why', async () => {
  const ended = await Promise.all([
    startWithout(stores, 'src/main.ts', 'MONGODB_URI'),
    startWithout(stores, 'workers/main.ts', 'REDIS_URL'),
  ]);
  for (const { code, lines, name, port } of ended) {
    const waits = lines.slice(0, -1);
    expect(code).toBe(1);
    expect(waits.length).toBeGreaterThanOrEqual(15);
    expect(waits.length).toBeLessThanOrEqual(31);
    for (const { text } of waits)
      expect(text).toMatch(new RegExp(`^Waiting for ${name} \\(.*ECONNREFUSED 127.0.0.1:${port}\\)$`));
    const [first, last] = [waits[0]?.at ?? 0, lines.at(-1)?.at ?? 0];
    expect(last - first).toBeGreaterThan(25_000);
    expect(lines.at(-1)?.text).toMatch(new RegExp(`^${name} at 127.0.0.1:${port}.*answer`));
    expect(lines.map(({ text }) => text).join()).not.toContain('secret');
  }
}, 120_000);

testInPlace(
  'what a stopped service wrote is there after the next start, and nothing runs in between',
  async ({ dataDir }) => {
    const first = await startEmbedded(embeddedOptions(dataDir));
    await writeMark(first, 'kept');
    await first.stop();
    expect(processesOf(dataDir)).toEqual([]);
    expect(findRunning(dataDir)).toBeUndefined();

    const second = await startEmbedded(embeddedOptions(dataDir));
    const marks = await readMarks(second);
    await second.stop();
    expect(marks).toEqual({ mongodb: 'kept', redis: 'kept' });
  },
);

testInPlace(
  'the servers run as batch processes where the system can do that, and all the same where it cannot',
  async ({ dataDir, owners }) => {
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
  },
);

testInPlace('the next start moves the replica set when its port is taken meanwhile', async ({ dataDir }) => {
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

testInPlace('a foreign server on the remembered port is left alone', async ({ dataDir }) => {
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

testInPlace('a given server is used and no other started', async ({ dataDir }) => {
  const options = { ...embeddedOptions(dataDir), mongodbUri: 'mongodb://given/loyalty' };
  const services = await startEmbedded(options);
  const running = findRunning(dataDir);
  await services.stop();
  expect(services.mongodbUri).toBe('mongodb://given/loyalty');
  expect(running).toEqual({ redisUrl: services.redisUrl });
});

testInPlace('a start that fails in the middle leaves no process and can be repeated', async ({ dataDir }) => {
  const options = { ...embeddedOptions(dataDir), redisServerBinary: '/nowhere/redis-server' };
  await expect(startEmbedded(options)).rejects.toThrow(
    'the configured redis-server /nowhere/redis-server cannot be used',
  );
  expect(processesOf(dataDir)).toEqual([]);
  const services = await startEmbedded(embeddedOptions(dataDir));
  await services.stop();
});

testInPlace('a mongod that cannot start is explained in one line that names its log', async ({ dataDir }) => {
  const setParameters = { noSuchParameter: 1 };
  const starting = startEmbedded({ ...embeddedOptions(dataDir), mongod: { setParameters } });
  await expect(starting).rejects.toThrow(/^mongod \(.+\) did not start: ended with code \d+; see .+mongod\.log$/);
  expect(processesOf(dataDir)).toEqual([]);
});

testInPlace('servers end when their owner is killed', async ({ dataDir }) => {
  const owner = await startOwner(dataDir);
  expect(processesOf(dataDir)).toHaveLength(3);
  await owner.end('SIGKILL');
  await until(() => processesOf(dataDir).length === 0);
});

testInPlace('a start that finds orphans alive takes them over', async ({ dataDir }) => {
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

testInPlace(
  'a start that finds orphans being ended starts new servers with the same data',
  async ({ dataDir, owners }) => {
    const first = await startOwner(dataDir);
    await writeMark(first.answer, 'kept');
    await first.end('SIGKILL');
    await until(() => findServer(dataDir, 'redis-server') === undefined);
    const second = await owned({ dataDir, owners });
    expect(await readMarks(second.answer)).toEqual({ mongodb: 'kept', redis: 'kept' });
  },
);

testInPlace(
  'a second start of the same directory is refused while the first lives, and does not disturb it',
  async ({ dataDir, owners }) => {
    const first = await owned({ dataDir, owners });
    const second = await startOwner(dataDir);
    expect(second.answer.error).toBe(
      `already running as pid ${first.child.pid} with DATA_DIR ${dataDir}: stop it, or set another DATA_DIR and PORT`,
    );
    await writeMark(first.answer, 'undisturbed');
  },
);

testInPlace('of many starts at once one wins', async ({ dataDir, owners }) => {
  const starts = await Promise.all([1, 2, 3, 4].map(() => startOwner(dataDir)));
  owners.push(...starts.filter((owner) => owner.answer.error === undefined));
  expect(owners).toHaveLength(1);
});

testInPlace('after everything was killed at once the next start has all data', async ({ dataDir, owners }) => {
  const first = await startOwner(dataDir);
  await writeMark(first.answer, 'durable');
  const servers = processesOf(dataDir);
  first.child.kill('SIGKILL');
  for (const pid of servers) process.kill(pid, 'SIGKILL');
  await first.end('SIGKILL');
  const second = await owned({ dataDir, owners });
  expect(await readMarks(second.answer)).toMatchObject({ mongodb: 'durable' });
});

testInPlace(
  'a server that is killed under a living owner is started again at the same place',
  async ({ dataDir, owners }) => {
    const owner = await owned({ dataDir, owners });
    await writeMark(owner.answer, 'back');
    const mongod = findServer(dataDir, 'mongod');
    process.kill(mongod?.identity.pid ?? 0, 'SIGKILL');
    expect(await readMarks(owner.answer)).toMatchObject({ mongodb: 'back' });
    expect(findServer(dataDir, 'mongod')).toMatchObject({ port: mongod?.port });
  },
);

async function owned({ dataDir, owners }: Place): Promise<Owner> {
  const owner = await startOwner(dataDir);
  owners.push(owner);
  return owner;
}

/** A folder for PATH with a shell and what the watchdog calls, and nothing else. */
function shellAlone(directory: string): string {
  const folder = path.join(directory, 'bin');
  mkdirSync(folder);
  for (const name of ['sh', 'sleep', 'rm', 'ps']) symlinkSync(`/bin/${name}`, path.join(folder, name));
  return folder;
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
