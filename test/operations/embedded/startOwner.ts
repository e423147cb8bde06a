import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A child process that owns the embedded servers of a data directory. */
export interface Owner {
  child: ChildProcess;
  /** What it printed after its start; empty when it was killed before. */
  answer: { mongodbUri?: string; redisUrl?: string; error?: string };
  /** Sends a signal and waits until the process is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** Starts an owner and waits for its answer. The variables of `env` are added to its environment. */
export async function startOwner(dataDir: string, env: Record<string, string> = {}): Promise<Owner> {
  const hook = path.join(__dirname, '../../support/registerTypeScript.cjs');
  const args = ['--require', hook, path.join(__dirname, '../../support/embeddedOwner.ts'), dataDir];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  // `exit` may come before what the process printed last.
  const ended = once(child, 'close');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => ['{}'])]);
  return {
    child,
    answer: JSON.parse(String(line)),
    end: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}
