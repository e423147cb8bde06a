import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Config } from '#platform/infrastructure/config';

/** What a process used while a test measured it. */
export interface Held {
  /** The longest CPU time of the main thread between two turns of the event loop, in milliseconds. */
  longestMs: number;
  /** The CPU time of the main thread in all, in milliseconds. */
  usedMs: number;
  /** The most memory of the process (resident set size), in bytes. */
  peakBytes: number;
}

/** An API process whose event loop and memory are measured. */
export interface MeasuredApi {
  url: string;
  /** Measures the process while `run` runs. */
  during(run: () => Promise<unknown>): Promise<Held>;
  stop(): Promise<void>;
}

const root = path.resolve(__dirname, '../..');
const preloaded = ['./test/support/registerTypeScript.cjs', './test/support/holdMonitor.cjs'];

/** Starts a measured API process from the sources, on the stores of a test. */
export async function startMeasuredApi(config: Config): Promise<MeasuredApi> {
  const child = spawn(
    process.execPath,
    [
      '--expose-gc',
      '--max-semi-space-size=64',
      ...preloaded.flatMap((each) => ['--require', each]),
      'src/server/main.ts',
    ],
    { cwd: root, env: environment(config), stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  const exited = once(child, 'exit');
  const url = await Promise.race([
    urlOf(child),
    exited.then(([code]) => Promise.reject(new Error(`the API ended with ${code}`))),
  ]);
  const ask = async (message: 'begin' | 'end'): Promise<Held> => {
    child.send(message);
    const [answer] = await once(child, 'message');
    return answer;
  };
  return {
    url,
    async during(run) {
      await ask('begin');
      await run();
      return ask('end');
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function urlOf(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the process has no output');
  for await (const line of createInterface(child.stdout)) {
    const url = /^The API listens at (\S+)/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('the process did not say where it listens');
}

function environment(config: Config): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    MONGODB_URI: config.MONGODB_URI ?? '',
    REDIS_URL: config.REDIS_URL ?? '',
    REDIS_PREFIX: config.REDIS_PREFIX,
    JWT_SECRET: config.JWT_SECRET ?? '',
    RULES_DIR: config.rulesDir,
    ORG: config.ORG,
    PORT: '0',
    LOG_LEVEL: 'fatal',
  };
}
