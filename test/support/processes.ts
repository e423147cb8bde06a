import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Config } from '#platform/infrastructure/config';

const root = path.resolve(__dirname, '../..');

/** A process of the service, for tests that need several or kill them. */
export interface ServiceProcess {
  pid: number;
  /** The first output of the process; an API process prints its URL. */
  firstLine: string;
  /** Stops the process with SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Kills the process with SIGKILL, like a crash. */
  kill(): Promise<void>;
}

type Entry = 'src/server/main.ts' | 'workers/main.ts' | 'test/support/impatientApi.ts';

/** How a process is started. */
interface StartOptions {
  /** Folder of the sources; default: this checkout. */
  folder?: string;
  /** How far its clock is ahead, in milliseconds. */
  clockShiftMs?: number;
  /** Ports of this machine, and the ports of proxies through which it connects to them. */
  proxiedPorts?: ReadonlyMap<number, number>;
  /** The file that says what time it is, as movedClock.cjs reads it. */
  clockFile?: string;
}

/** Starts a process of the service from the sources, on the stores of a test, and waits for its first output. */
export async function startProcess(
  entry: Entry,
  config: Config,
  { folder = root, clockShiftMs, clockFile, proxiedPorts = new Map() }: StartOptions = {},
): Promise<ServiceProcess> {
  const isShifted = clockShiftMs !== undefined;
  const isMoved = clockFile !== undefined;
  const isProxied = proxiedPorts.size > 0;
  const preloaded = [
    ...(isShifted ? ['shiftClock'] : []),
    ...(isMoved ? ['movedClock'] : []),
    ...(isProxied ? ['throughProxies'] : []),
  ];
  const required = ['registerTypeScript', ...preloaded];
  const args = required.flatMap((name) => ['--require', `./test/support/${name}.cjs`]);
  const preloadedFor = {
    ...(isShifted ? { CLOCK_SHIFT_MS: `${clockShiftMs}` } : {}),
    ...(isMoved ? { CLOCK_FILE: clockFile } : {}),
    ...(isProxied ? { PROXIED_PORTS: [...proxiedPorts].map((pair) => pair.join('=')).join(',') } : {}),
  };
  const child = spawn(process.execPath, [...args, entry], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      UNKEYED_COMMANDS: process.env.UNKEYED_COMMANDS,
      ...environment(config),
      ...preloadedFor,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const firstLine = await Promise.race([firstOutput(child), exited.then(([code]) => failed(entry, code))]);
  return {
    pid: child.pid ?? 0,
    firstLine,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The process to start; by default the API. */
interface ApiOptions extends StartOptions {
  entry?: Entry;
}

/** Starts an API process on a free port. */
export async function startApi(
  config: Config,
  { entry = 'src/server/main.ts', ...options }: ApiOptions = {},
): Promise<ServiceProcess & { url: string }> {
  const api = await startProcess(entry, { ...config, PORT: 0 }, options);
  const url = /http:\/\/\S+/.exec(api.firstLine)?.[0];
  if (url === undefined) {
    await api.kill();
    throw new Error(`no URL in: ${api.firstLine}`);
  }
  return { ...api, url };
}

async function firstOutput(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the process has no output');
  const [chunk] = await once(child.stdout, 'data');
  return String(chunk);
}

function failed(entry: string, code: unknown): never {
  throw new Error(`${entry} ended with ${code} before it was ready`);
}

export function environment(config: Config): Record<string, string> {
  return {
    MONGODB_URI: config.MONGODB_URI ?? '',
    REDIS_URL: config.REDIS_URL ?? '',
    REDIS_PREFIX: config.REDIS_PREFIX,
    JWT_SECRET: config.JWT_SECRET ?? '',
    RULES_DIR: config.rulesDir,
    ORG: config.ORG,
    RATE_LIMIT: String(config.RATE_LIMIT),
    TRUST_PROXY: String(config.TRUST_PROXY),
    PORT: String(config.PORT),
    PEER_HOST: config.PEER_HOST,
    PEER_PORT: String(config.PEER_PORT),
    WORKER_PORT: '0',
    METRICS_TOKEN: config.METRICS_TOKEN ?? '',
    WEBHOOK_PRIVATE: config.WEBHOOK_PRIVATE,
    LOG_LEVEL: 'error',
  };
}
