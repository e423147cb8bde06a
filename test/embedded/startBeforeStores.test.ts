import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { freePort } from '../../src/embedded/freePort';
import { testStores } from '../support/stores';

const root = path.join(__dirname, '../..');
const stores = testStores();
afterAll(() => stores.drop());

async function startWithout(entry: string, away: 'MONGODB_URI' | 'REDIS_URL') {
  const port = await freePort();
  const absent = {
    MONGODB_URI: `mongodb://u:secret@127.0.0.1:${port}/a`,
    REDIS_URL: `redis://:secret@127.0.0.1:${port}`,
  };
  const child = spawn(process.execPath, ['--require', './test/support/registerTypeScript.cjs', entry], {
    cwd: root,
    env: {
      ...{ PATH: process.env.PATH, PORT: '0', REDIS_PREFIX: stores.redisPrefix, RULES_DIR: '/nonexistent' },
      ...{ JWT_SECRET: 'test key of 32 bytes or more, not secret', ADMIN_PASSWORD: 'the first password' },
      ...{ MONGODB_URI: stores.mongodbUri, REDIS_URL: stores.redisUrl, [away]: absent[away] },
    },
  });
  const lines: { text: string; at: number }[] = [];
  child.stderr.on('data', (chunk) => {
    for (const text of String(chunk).trim().split('\n')) lines.push({ text, at: Date.now() });
  });
  const [code] = await once(child, 'exit');
  return { code, lines, name: away === 'MONGODB_URI' ? 'MongoDB' : 'Redis', port };
}

test('an API and a worker wait 30 s for a store, tell so once a second, then exit with 1 and say why', async () => {
  const ended = await Promise.all([
    startWithout('src/main.ts', 'MONGODB_URI'),
    startWithout('workers/main.ts', 'REDIS_URL'),
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
