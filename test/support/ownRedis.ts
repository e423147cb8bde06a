import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findBinary } from '#operations/embedded/binaries/findBinary';
import { freePort } from '#operations/embedded/freePort';
import { REDIS_SERVER } from '#operations/embedded/servers';
import { makeDataFolder } from './dataFolder';
import { embeddedOptions } from './embeddedOptions';
import { refuseWrites, spawnFillable, takeWrites } from './fullDisk';

/** A Redis of one test alone, which the test may kill. */
export interface OwnRedis {
  url: string;
  pid(): number;
  /** Suspends the process (SIGSTOP) until `thaw`; its sockets stay open. */
  freeze(): void;
  thaw(): void;
  /** From now on its disk takes no more writes, until `freeDisk`. */
  fillDisk(): void;
  freeDisk(): void;
  /** Kills the process with SIGKILL, like a crash. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(options: { isEmptied: boolean }): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a Redis without credentials on a free port of 127.0.0.1.
 * @param more further arguments of the server
 */
export async function startOwnRedis(...more: string[]): Promise<OwnRedis> {
  const folder = makeDataFolder('loyalty-redis-');
  const options = embeddedOptions(folder);
  const binary = await findBinary(REDIS_SERVER, { ...options, explicit: options.redisServerBinary });
  const port = await freePort();
  const data = path.join(folder, 'data');
  const child = { current: await start(binary, port, data, more) };
  // This also ends the server when the test ends without closing it.
  process.once('exit', () => child.current.kill('SIGKILL'));
  const kill = async () => {
    const exited = once(child.current, 'exit');
    child.current.kill('SIGKILL');
    await exited;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => child.current.pid ?? 0,
    freeze: () => void child.current.kill('SIGSTOP'),
    thaw: () => void child.current.kill('SIGCONT'),
    fillDisk: () => refuseWrites(child.current),
    freeDisk: () => takeWrites(child.current),
    kill,
    async restart({ isEmptied }) {
      if (isEmptied) rmSync(data, { recursive: true, force: true });
      child.current = await start(binary, port, data, more);
    },
    async close() {
      if (child.current.exitCode === null && child.current.signalCode === null) await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(binary: string, port: number, data: string, more: readonly string[]): Promise<ChildProcess> {
  mkdirSync(data, { recursive: true });
  const settings = [
    '--appendonly',
    'yes',
    '--appendfsync',
    'everysec',
    '--save',
    '',
    '--maxmemory-policy',
    'noeviction',
  ];
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', data, ...settings, ...more];
  const child = spawnFillable(binary, args, ['ignore', 'pipe', 'ignore']);
  if (!child.stdout) throw new Error('the server has no output');
  for await (const chunk of child.stdout) {
    if (String(chunk).includes(REDIS_SERVER.readyText)) break;
  }
  return child;
}
