import assert from 'node:assert';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { findBinary } from '#operations/embedded/binaries/findBinary';
import { freePort } from '#operations/embedded/freePort';
import { MONGOD, REDIS_SERVER } from '#operations/embedded/servers';
import { embeddedOptions } from '../support/embeddedOptions';
import type { ComposeFile, ComposeService } from './composeFile';

const run = promisify(execFile);

/** A folder for data, secrets and temporary files of the containers, and the ports of the stores. */
interface Place {
  folder: string;
  ports: { mongo: number; redis: number };
  path: string;
}

/** The stores of docker-compose.yml as processes on loopback: started, checked and secured as the file says. */
export interface ComposeStores {
  stop(): Promise<void>;
}

/**
 * Starts mongod and redis-server with the commands, the secrets and the health check of docker-compose.yml. What names
 * containers and places in them is changed to loopback and to places below the folder, also in the secrets.
 * @param folder holds the folder `secrets`
 */
export async function startComposeStores(compose: ComposeFile, folder: string): Promise<ComposeStores> {
  const place = await preparePlace(folder);
  const { mongo, redis } = compose.services;
  const children = [start('mongo', mongo, place), start('redis', redis, place)];
  const requireRunning = () => {
    for (const { exitCode } of children) assert(exitCode === null, `a store ended with ${exitCode}`);
  };
  try {
    await Promise.all([untilHealthy(mongo, place, requireRunning), untilAnswering(place, requireRunning)]);
  } catch (error) {
    await Promise.all(children.map(end));
    throw error;
  }
  return { stop: async () => void (await Promise.all(children.map(end))) };
}

async function preparePlace(folder: string): Promise<Place> {
  const options = embeddedOptions(folder);
  const bin = path.join(folder, 'bin');
  for (const each of ['bin', 'tmp/mongo', 'tmp/redis', 'data/mongo', 'data/redis'])
    mkdirSync(path.join(folder, each), { recursive: true });
  symlinkSync(await findBinary(MONGOD, { ...options, explicit: options.mongodBinary }), path.join(bin, 'mongod'));
  symlinkSync(
    await findBinary(REDIS_SERVER, { ...options, explicit: options.redisServerBinary }),
    path.join(bin, 'redis-server'),
  );
  const ports = { mongo: await freePort(), redis: await freePort() };
  const place = { folder, ports, path: `${bin}:${process.env.PATH}` };
  for (const name of ['mongodb_uri', 'redis_url']) {
    const file = path.join(folder, 'secrets', name);
    writeFileSync(file, onLoopback(readFileSync(file, 'utf8'), place));
  }
  return place;
}

function onLoopback(text: string, { ports }: Place): string {
  return text.replace('mongo:27017', `127.0.0.1:${ports.mongo}`).replace('redis:6379', `127.0.0.1:${ports.redis}`);
}

function start(name: 'mongo' | 'redis', { command }: ComposeService, place: Place): ChildProcess {
  const { folder, ports } = place;
  const script = (command[0] ?? '')
    .replaceAll(/\/(run\/secrets|tmp)\//g, (_all, of) => `${folder}/${of === 'tmp' ? `tmp/${name}` : 'secrets'}/`)
    .replace('--bind_ip_all', '--bind_ip 127.0.0.1')
    .replace('exec mongod', `exec mongod --port ${ports.mongo} --nounixsocket --dbpath ${folder}/data/mongo`)
    .replace(
      'exec redis-server',
      `exec redis-server --port ${ports.redis} --bind 127.0.0.1 --dir ${folder}/data/redis`,
    );
  return spawn('sh', ['-ec', script], { env: { PATH: place.path }, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

const patienceMs = 60_000;
const everyMs = 200;

/** Runs the health check of MongoDB until it passes. The first that passes has made what the service needs. */
async function untilHealthy(
  { healthcheck: { test } }: ComposeService,
  place: Place,
  requireRunning: () => void,
): Promise<void> {
  const [requested, program] = [test.slice(0, -2), test.at(-1) ?? ''];
  assert.deepStrictEqual(requested, ['CMD', 'mongosh', '--quiet', '--norc']);
  const text = readFileSync(path.resolve(__dirname, '../..', program.slice(1)), 'utf8');
  const script = path.join(place.folder, 'mongo.cjs');
  writeFileSync(script, onLoopback(text.replaceAll('/run/secrets/', `${place.folder}/secrets/`), place));
  const address = (test.at(-2) ?? '').replace(':27017', `:${place.ports.mongo}`);
  await until(() => run(process.execPath, [path.join(__dirname, 'mongosh.cjs'), address, script]), requireRunning);
}

async function untilAnswering({ folder }: Place, requireRunning: () => void): Promise<void> {
  const url = readFileSync(path.join(folder, 'secrets', 'redis_url'), 'utf8').trim();
  await until(async () => {
    const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
    redis.on('error', () => undefined);
    await redis.ping().finally(() => redis.disconnect());
  }, requireRunning);
}

async function until(passes: () => Promise<unknown>, requireRunning: () => void): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    try {
      await passes();
      return;
    } catch (error) {
      requireRunning();
      if (performance.now() > giveUpAt) throw error;
    }
    await sleep(everyMs);
  }
}
