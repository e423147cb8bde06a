import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MongoProxy, openMongoProxy } from '../support/mongoProxy';
import { environment } from '../support/processes';
import { openRedisProxy, type RedisProxy } from '../support/redisProxy';
import { openTestServices, type TestServices } from '../support/services';

let services: TestServices;
let mongo: MongoProxy;
let redis: RedisProxy;
const children: ChildProcess[] = [];
beforeAll(async () => {
  services = await openTestServices();
  mongo = await openMongoProxy(services.config.MONGODB_URI ?? '');
  redis = await openRedisProxy(services.config.REDIS_URL ?? '');
});
afterAll(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  await services.close();
  await mongo.close();
  await redis.down();
});

interface Line {
  level: number;
  time: string;
  msg: string;
  store?: string;
  error?: string;
  leftOut?: number;
  err?: { stack?: string };
}

/** Starts a process on the proxies. Returns its address, and what it has written since. */
async function start(entry: string, level: string) {
  const config = { ...services.config, MONGODB_URI: mongo.uri, REDIS_URL: redis.url, ORG: 'test', PORT: 0 };
  const child = spawn(process.execPath, ['--require', './test/support/registerTypeScript.cjs', entry], {
    cwd: path.resolve(__dirname, '../..'),
    env: { PATH: process.env.PATH, ...environment(config), LOG_LEVEL: level },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += String(chunk);
    });
  while (!/http:\/\/\S+/.test(text)) {
    if (child.exitCode !== null) throw new Error(text);
    await sleep(50);
  }
  const url = /http:\/\/\S+/.exec(text)?.[0] ?? '';
  text = '';
  return { child, url, written: () => text.split('\n').filter(Boolean) };
}

/** Both stores are away for some seconds, and both processes are used meanwhile. */
async function outage(api: string) {
  mongo.admits(() => false);
  await redis.down();
  const { token } = services.users.admin;
  const requests: Promise<unknown>[] = [];
  for (let n = 0; n < 60; n += 1) {
    const headers = { Authorization: `Bearer ${token}` };
    requests.push(fetch(`${api}/api/v1/members`, { headers }).then((answer) => answer.text()));
    await sleep(100);
  }
  await Promise.allSettled(requests);
  mongo.admits(() => true);
  await redis.up();
}

test('while the stores are away a process writes a line a second and cause, without stacks and addresses', async () => {
  const [api, worker] = await Promise.all([start('src/server/main.ts', 'info'), start('workers/main.ts', 'debug')]);
  await outage(api.url);
  const addresses = [mongo.uri, redis.url, services.config.MONGODB_URI ?? '', services.config.REDIS_URL ?? ''].map(
    (uri) => new URL(uri).host,
  );
  for (const { written } of [api, worker]) {
    const lines = written();
    const actual = lines.map((line): Line => JSON.parse(line));
    const loud = lines.filter((_line, n) => (actual[n]?.level ?? 60) >= 30);
    expect(loud.filter((line) => /"stack"|\\n\s+at /.test(line))).toEqual([]);
    expect(loud.filter((line) => addresses.some((address) => line.includes(address)))).toEqual([]);
    const causes = new Map<string, number[]>();
    for (const { level, store, error, time } of actual) {
      if (level < 30 || store === undefined) continue;
      const key = `${store} ${error}`;
      causes.set(key, [...(causes.get(key) ?? []), Date.parse(time)]);
    }
    expect(causes.size).toBeGreaterThan(0);
    for (const times of causes.values()) {
      // A little less than a second, because the time of a line is taken after its turn.
      expect(times.slice(1).filter((time, n) => time - (times[n] ?? 0) < 990)).toEqual([]);
    }
    // Nothing that failed for the stores goes past this.
    const others = actual.filter(({ level, store }) => level >= 40 && store === undefined);
    expect(others.filter(({ msg }) => !msg.startsWith('there are no rule files'))).toEqual([]);
  }
  const stacks = worker
    .written()
    .map((line): Line => JSON.parse(line))
    .filter(({ err }) => err?.stack !== undefined);
  const first = stacks.map(({ level, err }) => [level, err?.stack?.split('\n')[0]]);
  expect(first.length).toBeGreaterThan(0);
  expect(new Set(first.map(String)).size).toBe(first.length);
  expect(first.every(([level]) => level === 20)).toBe(true);
}, 120_000);
