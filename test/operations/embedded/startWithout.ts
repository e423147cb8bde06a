import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { freePort } from '#operations/embedded/freePort';
import type { TestStores } from '../../support/stores';

const root = path.join(__dirname, '../../..');

/**
 * Starts a process of the service without one of its stores, and waits for its end. Returns its lines with their times.
 */
export async function startWithout(stores: TestStores, entry: string, away: 'MONGODB_URI' | 'REDIS_URL') {
  const port = await freePort();
  const absent = {
    MONGODB_URI: `mongodb://u:secret@127.0.0.1:${port}/a`,
    REDIS_URL: `redis://:secret@127.0.0.1:${port}`,
  };
  const child = spawn(process.execPath, ['--require', './test/support/registerTypeScript.cjs', entry], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      WORKER_PORT: '0',
      REDIS_PREFIX: stores.redisPrefix,
      RULES_DIR: '/nonexistent',
      JWT_SECRET: 'test key of 32 bytes or more, not secret',
      ADMIN_PASSWORD: 'the first password',
      MONGODB_URI: stores.mongodbUri,
      REDIS_URL: stores.redisUrl,
      [away]: absent[away],
    },
  });
  const lines: { text: string; at: number }[] = [];
  child.stderr.on('data', (chunk) => {
    for (const text of String(chunk).trim().split('\n')) lines.push({ text, at: Date.now() });
  });
  const [code] = await once(child, 'close');
  return { code, lines, name: away === 'MONGODB_URI' ? 'MongoDB' : 'Redis', port };
}
