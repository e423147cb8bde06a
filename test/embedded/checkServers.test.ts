import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MONGOD, REDIS_SERVER } from '../../src/embedded/binaryKind';
import { checkMongo, checkRedis } from '../../src/embedded/checkServers';
import { findBinary } from '../../src/embedded/findBinary';
import { freePort } from '../../src/embedded/freePort';
import { runServer, stopServer } from '../../src/embedded/serverProcess';
import { embeddedOptions } from '../support/embeddedOptions';
import { testStores } from '../support/stores';

let dataDir: string;
let lines: string[];
const onProgress = (line: string) => void lines.push(line);

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'loyalty-check-'));
  lines = [];
});
afterEach(async () => {
  await Promise.all([stopServer(dataDir, 'mongod'), stopServer(dataDir, 'redis-server')]);
  rmSync(dataDir, { recursive: true });
});

describe('MongoDB', () => {
  test('a replica set is accepted', async () => {
    await expect(checkMongo(testStores().mongodbUri)).resolves.toBeUndefined();
  });

  test('a standalone server is refused: it has no transactions', async () => {
    const options = embeddedOptions(dataDir);
    const binary = await findBinary(MONGOD, { ...options, explicit: options.mongodBinary });
    const args = (port: number) => ['--dbpath', dataDir, '--port', String(port), '--bind_ip', '127.0.0.1'];
    const { port } = await runServer(dataDir, { name: 'mongod', binary, args, prepare: async () => undefined });
    await expect(checkMongo(`mongodb://127.0.0.1:${port}/loyalty`)).rejects.toMatchObject({
      name: 'StartError',
      message: `MongoDB at 127.0.0.1:${port} is a standalone server, which has no transactions: start it with --replSet and run rs.initiate() once`,
    });
  });

  test('where nobody listens one line says so, without the password', async () => {
    const port = await freePort();
    const check = checkMongo(`mongodb://user:secret@127.0.0.1:${port}/loyalty`);
    await expect(check).rejects.toThrow(
      new RegExp(`^MongoDB at 127.0.0.1:${port}: no primary answered within 5 s((?!secret).)*$`),
    );
  });

  test('what is no connection string is told as such', async () => {
    await expect(checkMongo('localhost')).rejects.toThrow('the MongoDB connection string cannot be used: ');
  });
});

describe('Redis', () => {
  test('a server that never evicts is accepted without a word', async () => {
    await checkRedis(testStores().redisUrl, onProgress);
    expect(lines).toEqual([]);
  });

  test('a server that evicts keys is refused', async () => {
    const port = await startRedisWith(['--maxmemory-policy', 'allkeys-lru']);
    await expect(checkRedis(`redis://127.0.0.1:${port}`, onProgress)).rejects.toMatchObject({
      name: 'StartError',
      message: `Redis at 127.0.0.1:${port} has maxmemory-policy allkeys-lru: set maxmemory-policy to noeviction, else queued jobs may vanish`,
    });
  });

  test('a server that does not tell its policy is accepted with a warning', async () => {
    const port = await startRedisWith(['--rename-command', 'INFO', '']);
    await checkRedis(`redis://127.0.0.1:${port}`, onProgress);
    expect(lines).toEqual([expect.stringContaining('does not tell its maxmemory-policy')]);
  });

  test('where nobody listens one line says so at once', async () => {
    const port = await freePort();
    await expect(checkRedis(`redis://:secret@127.0.0.1:${port}`, onProgress)).rejects.toThrow(
      new RegExp(`^Redis at 127.0.0.1:${port} does not answer \\(((?!secret).)*\\)$`),
    );
  });

  test('a listener that never answers is given up after 5 s', async () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => sockets.push(socket)).listen(await freePort(), '127.0.0.1');
    const address = mute.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    await expect(checkRedis(`redis://127.0.0.1:${port}`, onProgress)).rejects.toThrow('does not answer');
    for (const socket of sockets) socket.destroy();
    mute.close();
  });

  test('what is no Redis URL is told as such', async () => {
    await expect(checkRedis('localhost:6379', onProgress)).rejects.toThrow('the Redis URL cannot be used');
  });

  async function startRedisWith(more: string[]): Promise<number> {
    const options = embeddedOptions(dataDir);
    const binary = await findBinary(REDIS_SERVER, { ...options, explicit: options.redisServerBinary });
    const args = (port: number) => ['--port', String(port), '--bind', '127.0.0.1', '--save', '', ...more];
    const { port } = await runServer(dataDir, { name: 'redis-server', binary, args, prepare: async () => undefined });
    return port;
  }
});
