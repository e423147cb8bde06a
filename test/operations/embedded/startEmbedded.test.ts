import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findBinary } from '#operations/embedded/binaries/findBinary';
import { findRunning } from '#operations/embedded/findRunning';
import { MONGOD } from '#operations/embedded/servers';
import { startEmbedded } from '#operations/embedded/startEmbedded';
import { embeddedOptions } from '../../support/embeddedOptions';
import { drawn } from '../../support/scale';
import { testStores } from '../../support/stores';
import { readMarks, writeMark } from './marks';
import { batchPolicy, commandsNaming, isRunning, ownerOf, pidOf, policyOf, processesOf } from './serverProcesses';
import { type Owner, startOwner } from './startOwner';
import { startWithout } from './startWithout';

/** The data directory and the owners of one test. The owners are ended after the test. */
interface Place {
  dataDir: string;
  owners: Owner[];
}

/** Runs a test beside others in a data directory of its own: the tests mostly wait for servers to start and end. */
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

// This test is the first, because it takes longest.
test.concurrent('an API and a worker wait 30 s for a store with a log line a second, then exit with 1 and say why', async () => {
  const ended = await Promise.all([
    startWithout(stores, 'src/server/main.ts', 'MONGODB_URI'),
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
});

testInPlace(
  'data of a stopped service is there after the next start, also on another port, and nothing runs in between',
  async ({ dataDir }) => {
    const first = await startEmbedded(embeddedOptions(dataDir));
    await writeMark(first, 'kept');
    const policies = processesOf(dataDir).map(policyOf);
    // The servers run as batch processes where the system can do that.
    expect(policies.filter((policy) => policy === batchPolicy)).toHaveLength(
      spawnSync('sh', ['-c', 'chrt -b 0 true']).status === 0 ? 3 : 0,
    );
    await first.stop();
    expect(readdirSync(dataDir).filter((name) => name.endsWith('.pid'))).toEqual([]);
    expect(commandsNaming(dataDir)).toEqual([]);
    expect(findRunning(dataDir)).toBeUndefined();

    // The replica set moves when its port is taken meanwhile.
    const squatter = await listenOn(Number(new URL(first.mongodbUri).port));
    const second = await startEmbedded(embeddedOptions(dataDir));
    const marks = await readMarks(second);
    await second.stop();
    squatter.close();
    expect(second.mongodbUri).not.toBe(first.mongodbUri);
    expect(marks).toEqual({ mongodb: 'kept', redis: 'kept' });
  },
);

testInPlace('the servers run where the system knows no batch processes', async ({ dataDir, owners }) => {
  const owner = await startOwner(dataDir, { PATH: psAlone(dataDir) });
  owners.push(owner);
  expect(owner.answer).toMatchObject({ mongodbUri: expect.any(String), redisUrl: expect.any(String) });
  expect(processesOf(dataDir).map(policyOf)).not.toContain(batchPolicy);
});

testInPlace('a foreign server on the remembered port is left alone', async ({ dataDir }) => {
  const otherDir = mkdtempSync(path.join(tmpdir(), 'loyalty-embedded-'));
  const other = await startEmbedded(embeddedOptions(otherDir));
  for (const file of ['mongod.port', 'redis-server.port'])
    copyFileSync(path.join(otherDir, file), path.join(dataDir, file));
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
  const mongodArgs = ['--setParameter', 'noSuchParameter=1'];
  const starting = startEmbedded({ ...embeddedOptions(dataDir), mongodArgs });
  await expect(starting).rejects.toThrow(/^mongod \(.+\) did not start: ended with code \d+; see .+mongod\.log$/);
  expect(processesOf(dataDir)).toEqual([]);
});

testInPlace('servers end when their owner is killed', async ({ dataDir }) => {
  const owner = await started(dataDir);
  expect(processesOf(dataDir)).toHaveLength(3);
  const servers = processesOf(dataDir);
  await owner.end('SIGKILL');
  await delay(3000);
  expect(servers.filter(isRunning)).toEqual([]);
});

const removals = [
  ['while its owner runs, who then ends', { removed: 'before', signal: 'SIGTERM' }],
  ['as its owner is killed', { removed: 'after', signal: 'SIGKILL' }],
  ['while its owner ends', { removed: 'after', signal: 'SIGTERM' }],
  ['while its owner runs, who then is killed', { removed: 'before', signal: 'SIGKILL' }],
] as const;
/** By chance, each run has the first two or the last two, which have all words; the long form has all. */
const someRemovals = drawn([removals.slice(0, 2), removals.slice(2)]).flat();

test.concurrent.each(someRemovals)(
  'no server is left where the folder is removed %s',
  async (_when, { removed, signal }) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'loyalty-embedded-'));
    const remove = () => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
    const owner = await started(dataDir);
    const servers = processesOf(dataDir);
    expect(servers).toHaveLength(3);
    if (removed === 'before') await remove();
    const ended = owner.end(signal);
    if (removed === 'after') await remove();
    await ended;
    await until(() => !servers.some(isRunning));
    await remove();
  },
);

testInPlace(
  'a start just after its owner was killed ends the orphans and has all data',
  async ({ dataDir, owners }) => {
    const first = await started(dataDir);
    await writeMark(first.answer, 'kept');
    const left = processesOf(dataDir);
    await first.end('SIGKILL');
    const second = await owned({ dataDir, owners });
    expect(left.filter(isRunning)).toEqual([]);
    expect(second.answer).toMatchObject(first.answer);
    expect(await readMarks(second.answer)).toMatchObject({ mongodb: 'kept' });
  },
);

testInPlace('the next start ends the orphans of a killed supervisor', async ({ dataDir, owners }) => {
  const first = await started(dataDir);
  const left = processesOf(dataDir);
  const supervisor = pidOf(dataDir, 'supervisor');
  process.kill(supervisor, 'SIGSTOP'); // otherwise the supervisor would end the servers
  await first.end('SIGKILL');
  process.kill(supervisor, 'SIGKILL');
  await until(() => !isRunning(supervisor));
  expect(left.filter(isRunning)).toHaveLength(2);
  await owned({ dataDir, owners });
  expect(left.filter(isRunning)).toEqual([]);
});

testInPlace(
  'a killed server, like a killed supervisor, is started again at its place while the owner lives',
  async ({ dataDir, owners }) => {
    const owner = await owned({ dataDir, owners });
    const pids = () => [pidOf(dataDir, 'mongod'), pidOf(dataDir, 'redis-server')] as const;
    const [mongod, redis] = pids();
    process.kill(redis, 'SIGKILL');
    await until(() => processesOf(dataDir).length === 3 && pidOf(dataDir, 'redis-server') !== redis);
    expect(pidOf(dataDir, 'mongod')).toBe(mongod);

    await writeMark(owner.answer, 'back');
    process.kill(mongod, 'SIGKILL');
    expect(await readMarks(owner.answer)).toMatchObject({ mongodb: 'back' });
    expect(findRunning(dataDir)).toEqual({ mongodbUri: owner.answer.mongodbUri, redisUrl: owner.answer.redisUrl });
    expect(pidOf(dataDir, 'mongod')).not.toBe(mongod);

    const left = processesOf(dataDir);
    process.kill(pidOf(dataDir, 'supervisor'), 'SIGKILL');
    await until(() => !left.some(isRunning));
    expect(await readMarks(owner.answer)).toMatchObject({ mongodb: 'back' });
    expect(processesOf(dataDir)).toHaveLength(3);
  },
);

test.concurrent.each([0, 300, 1000])('nothing runs 3 s after a start is killed %d ms in', async (ms) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'loyalty-embedded-'));
  const owner = startOwner(dataDir);
  await until(() => ownerOf(dataDir) !== undefined);
  await delay(ms);
  process.kill(Number(ownerOf(dataDir)), 'SIGKILL');
  await delay(3000);
  expect(commandsNaming(dataDir)).toEqual([]);
  await owner;
  rmSync(dataDir, { recursive: true });
});

testInPlace(
  'a start that finds orphans being ended starts new servers with the same data',
  async ({ dataDir, owners }) => {
    const first = await started(dataDir);
    await writeMark(first.answer, 'kept');
    await first.end('SIGKILL');
    await until(() => findRunning(dataDir)?.redisUrl === undefined);
    const second = await owned({ dataDir, owners });
    expect(await readMarks(second.answer)).toEqual({ mongodb: 'kept', redis: 'kept' });
  },
);

testInPlace('a port that another process takes before the server has it is replaced', async ({ dataDir }) => {
  const options = embeddedOptions(dataDir);
  const real = await findBinary(MONGOD, { ...options, explicit: options.mongodBinary });
  const [wants, goes] = [path.join(dataDir, 'wants'), path.join(dataDir, 'goes')];
  const slow = path.join(dataDir, 'slow-mongod');
  const wait = `echo "$@" > ${wants}.new; mv ${wants}.new ${wants}; until [ -e ${goes} ]; do sleep 0.02; done`;
  writeFileSync(slow, `#!/bin/sh\ncase "$*" in *--version*) ;; *) ${wait} ;; esac\nexec ${real} "$@"\n`, {
    mode: 0o700,
  });
  const starting = startEmbedded({ ...options, mongodBinary: slow, redisUrl: 'redis://given' });
  await until(() => existsSync(wants));
  const wanted = Number(/--port (\d+)/.exec(readFileSync(wants, 'utf8'))?.[1]);
  const other = createServer().listen(wanted, '127.0.0.1');
  await once(other, 'listening');
  writeFileSync(goes, '');
  const services = await starting.finally(() => other.close());
  const { port } = new URL(services.mongodbUri);
  await services.stop();
  expect(Number(port)).not.toBe(wanted);
});

testInPlace(
  'one of many starts at once wins, and a later one is refused without disturbing it',
  async ({ dataDir, owners }) => {
    const starts = await Promise.all([1, 2, 3, 4].map(() => startOwner(dataDir)));
    owners.push(...starts.filter((owner) => owner.answer.error === undefined));
    const faults = starts.map(({ answer: { error = 'none' } }) => error.replace(/^already running .*/, 'running'));
    expect(faults.sort()).toEqual(['none', 'running', 'running', 'running']);

    const [first] = owners;
    const later = await startOwner(dataDir);
    expect(later.answer.error).toBe(
      `already running as pid ${first?.child.pid} with DATA_DIR ${dataDir}: stop it, or set another DATA_DIR and PORT`,
    );
    await writeMark(first?.answer ?? {}, 'undisturbed');
  },
);

testInPlace('after everything was killed at once the next start has all data', async ({ dataDir, owners }) => {
  const first = await started(dataDir);
  await writeMark(first.answer, 'durable');
  const servers = processesOf(dataDir);
  first.child.kill('SIGKILL');
  for (const pid of servers) process.kill(pid, 'SIGKILL');
  await first.end('SIGKILL');
  const second = await owned({ dataDir, owners });
  expect(await readMarks(second.answer)).toMatchObject({ mongodb: 'durable' });
});

testInPlace(
  'no server is left where the folder is removed, then the supervisor killed',
  async ({ dataDir, owners }) => {
    await owned({ dataDir, owners });
    const left = processesOf(dataDir);
    const supervisor = pidOf(dataDir, 'supervisor');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
    process.kill(supervisor, 'SIGKILL');
    await until(() => !left.some(isRunning));
    mkdirSync(dataDir, { recursive: true });
  },
);

async function owned({ dataDir, owners }: Place): Promise<Owner> {
  const owner = await started(dataDir);
  owners.push(owner);
  return owner;
}

/** Starts an owner whose servers run. */
async function started(dataDir: string): Promise<Owner> {
  const owner = await startOwner(dataDir);
  expect(owner.answer).toEqual({ mongodbUri: expect.any(String), redisUrl: expect.any(String) });
  return owner;
}

/** Makes a folder for PATH that has only `ps`, which tells processes apart where there is no /proc. */
function psAlone(directory: string): string {
  const folder = path.join(directory, 'bin');
  mkdirSync(folder);
  symlinkSync('/bin/ps', path.join(folder, 'ps'));
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
