import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Config } from '../../src/backing/config';

/** What a process did while something was measured. */
export interface Held {
  /** Longest CPU time of the main thread, in milliseconds, in which the event loop did not come round. */
  longestMs: number;
  /** Most memory that the process had, in bytes. */
  peakBytes: number;
}

/** An API process that tells what requests do to its event loop. */
export interface MeasuredApi {
  url: string;
  /** What the process did while something ran. */
  during(run: () => Promise<unknown>): Promise<Held>;
  stop(): Promise<void>;
}

const root = path.resolve(__dirname, '../..');
const preloaded = ['./test/support/registerTypeScript.cjs', './test/support/holdMonitor.cjs'];

/** Starts an API process from the sources, on the stores of a test, whose event loop is watched. */
export async function startMeasuredApi(config: Config): Promise<MeasuredApi> {
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--max-semi-space-size=64', ...preloaded.flatMap((each) => ['--require', each]), 'src/main.ts'],
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
