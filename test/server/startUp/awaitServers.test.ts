import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBinary } from '#operations/embedded/binaries/findBinary';
import { freePort } from '#operations/embedded/freePort';
import { MONGOD, REDIS_SERVER } from '#operations/embedded/servers';
import { supervise } from '#operations/embedded/supervise';
import { checkMongo } from '#server/startUp/checkMongo';
import { checkRedis } from '#server/startUp/checkRedis';
import { embeddedOptions } from '../../support/embeddedOptions';
import { testStores } from '../../support/stores';

let dataDir: string;
let stopServers: () => Promise<unknown>;
let lines: string[];
let reasons: string[];
const patience = (waitMs: number) => ({ waitMs, onAway: (reason: string) => void reasons.push(reason) });
const onProgress = (line: string) => void lines.push(line);

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'loyalty-check-'));
  stopServers = async () => undefined;
  lines = [];
  reasons = [];
});
afterEach(async () => {
  await stopServers();
  rmSync(dataDir, { recursive: true });
});

/** Listens at a port and passes connections on to the server at an address. */
async function proxyTo({ hostname, port }: URL, at: number): Promise<Server> {
  const proxy = createServer((socket) => {
    const beyond = connect(Number(port), hostname);
    for (const side of [socket, beyond]) side.on('error', () => undefined);
    socket.pipe(beyond).pipe(socket);
  });
  proxy.listen(at, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

async function run({ name, readyText }: typeof MONGOD, binary: string, args: string[]): Promise<void> {
  const logFile = path.join(dataDir, `${name}.log`);
  const program = { name, binary, args, logFile, readyText };
  stopServers = await supervise(dataDir, [program], () => undefined);
}

async function eventually(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(50);
}

describe('MongoDB', () => {
  test('a replica set is accepted', async () => {
    await expect(checkMongo(testStores().mongodbUri, patience(5000))).resolves.toBeUndefined();
  });

  test('a standalone server is refused: it has no transactions', async () => {
    const options = embeddedOptions(dataDir);
    const binary = await findBinary(MONGOD, { ...options, explicit: options.mongodBinary });
    const port = await freePort();
    const args = ['--dbpath', dataDir, '--port', String(port), '--bind_ip', '127.0.0.1'];
    await run(MONGOD, binary, args);
    await expect(checkMongo(`mongodb://127.0.0.1:${port}/loyalty`, patience(5000))).rejects.toMatchObject({
      name: 'StartError',
      message: `MongoDB at 127.0.0.1:${port} is a standalone server, which has no transactions: start it with --replSet and run rs.initiate() once`,
    });
  });

  test('without a listener one line says so, without the password', async () => {
    const port = await freePort();
    const check = checkMongo(`mongodb://user:secret@127.0.0.1:${port}/loyalty`, patience(5000));
    await expect(check).rejects.toThrow(
      new RegExp(`^MongoDB at 127.0.0.1:${port}: no primary answered within 5 s((?!secret).)*$`),
    );
  });

  test('a server that refuses our name and password is not waited for', async () => {
    const uri = new URL(testStores().mongodbUri);
    Object.assign(uri, { username: 'nobody', password: 'secret' });
    const startedAt = Date.now();
    await expect(checkMongo(uri.href, patience(60_000))).rejects.toThrow(
      new RegExp(`^MongoDB at ${uri.host} refuses us \\(Authentication failed.\\)$`),
    );
    expect(Date.now() - startedAt).toBeLessThan(30_000);
  });

  test('a store that comes up in the meantime is accepted; the reason is logged about once a second', async () => {
    const uri = new URL(testStores().mongodbUri);
    const port = await freePort();
    const checked = checkMongo(`mongodb://127.0.0.1:${port}/loyalty`, patience(60_000));
    await eventually(() => reasons.length >= 2);
    const proxy = await proxyTo(uri, port);
    await expect(checked).resolves.toBeUndefined();
    expect(reasons[0]).toContain('ECONNREFUSED');
    proxy.close();
  });

  test('an invalid connection string is reported as such', async () => {
    const check = checkMongo('localhost', patience(5000));
    await expect(check).rejects.toThrow('the MongoDB connection string cannot be used: ');
  });
});

describe('Redis', () => {
  test('a server that never evicts is accepted without a word', async () => {
    await checkRedis(testStores().redisUrl, onProgress, patience(0));
    expect(lines).toEqual([]);
  });

  test('a server that evicts keys is refused', async () => {
    const port = await startRedisWith(['--maxmemory-policy', 'allkeys-lru']);
    await expect(checkRedis(`redis://127.0.0.1:${port}`, onProgress, patience(0))).rejects.toMatchObject({
      name: 'StartError',
      message: `Redis at 127.0.0.1:${port} has maxmemory-policy allkeys-lru: set maxmemory-policy to noeviction, else queued jobs may vanish`,
    });
  });

  test('a server that hides its policy is accepted with a warning', async () => {
    const port = await startRedisWith(['--rename-command', 'INFO', '']);
    await checkRedis(`redis://127.0.0.1:${port}`, onProgress, patience(0));
    expect(lines).toEqual([expect.stringContaining('does not tell its maxmemory-policy')]);
  });

  test('without a listener one line says so at once', async () => {
    const port = await freePort();
    await expect(checkRedis(`redis://:secret@127.0.0.1:${port}`, onProgress, patience(0))).rejects.toThrow(
      new RegExp(`^Redis at 127.0.0.1:${port} does not answer \\(((?!secret).)*\\)$`),
    );
  });

  test('a listener that never answers is given up after 5 s', async () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => sockets.push(socket)).listen(await freePort(), '127.0.0.1');
    const address = mute.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    await expect(checkRedis(`redis://127.0.0.1:${port}`, onProgress, patience(0))).rejects.toThrow('does not answer');
    for (const socket of sockets) socket.destroy();
    mute.close();
  });

  test('a server that refuses our password is not waited for', async () => {
    const port = await startRedisWith(['--requirepass', 'right']);
    await expect(checkRedis(`redis://:wrong@127.0.0.1:${port}`, onProgress, patience(60_000))).rejects.toThrow(
      new RegExp(`^Redis at 127.0.0.1:${port} refuses us \\((?:WRONGPASS|NOAUTH)`),
    );
    expect(reasons).toEqual([]);
  });

  test('a store that comes up in the meantime is accepted', async () => {
    const port = await freePort();
    // The URL has the same user and password with another port.
    const url = Object.assign(new URL(testStores().redisUrl), { hostname: '127.0.0.1', port: String(port) });
    const checked = checkRedis(url.href, onProgress, patience(60_000));
    await eventually(() => reasons.length >= 2);
    const proxy = await proxyTo(new URL(testStores().redisUrl), port);
    await expect(checked).resolves.toBeUndefined();
    expect(reasons[0]).toContain('ECONNREFUSED');
    proxy.close();
  });

  test('an invalid Redis URL is reported as such', async () => {
    await expect(checkRedis('localhost:6379', onProgress, patience(0))).rejects.toThrow('the Redis URL cannot be used');
  });

  async function startRedisWith(more: string[]): Promise<number> {
    const options = embeddedOptions(dataDir);
    const binary = await findBinary(REDIS_SERVER, { ...options, explicit: options.redisServerBinary });
    const port = await freePort();
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', ...more];
    await run(REDIS_SERVER, binary, args);
    return port;
  }
});
