import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { OnProgress } from '#base/common/progressTo';
import { StartError } from '#base/common/startError';
import { kill, writePid } from './pidFiles';

/** How a server is run. */
export interface ServerProgram {
  name: string;
  binary: string;
  args: string[];
  logFile: string;
  /** The text that it prints when it is ready. */
  readyText: string;
}

/** A message of the supervisor process about a server: its new process, that it is ready, or why it ended. */
export type News = { name: string; pid?: number; isReady?: boolean; fault?: string };

const READY_LIMIT_MS = 90_000;
const RESTART_MS = 1000;

/**
 * Runs the servers of a data directory in a process that outlives this one only until it has ended them. What ends
 * before is started again. Returns a function that ends the servers in order.
 * @throws StartError when a server cannot be used within 90 s
 */
export async function supervise(dataDir: string, programs: ServerProgram[], onProgress: OnProgress) {
  const report = ({ fault }: News) => fault && onProgress(`${fault}; starting it again`);
  const stopping = new AbortController();
  let supervisor = launch(dataDir, programs);
  const keepRunning = async () => {
    for (;;) {
      // Its process group has the servers. They are left over when somebody killed it.
      await once(supervisor, 'exit').finally(() => kill(-Number(supervisor.pid)));
      await delay(RESTART_MS, undefined, stopping).catch(() => undefined);
      if (stopping.signal.aborted) return;
      onProgress('the supervisor of the servers ended: starting all of them again');
      supervisor = launch(dataDir, programs);
      supervisor.on('message', report);
    }
  };
  const ended = keepRunning();
  const stop = () => {
    stopping.abort();
    supervisor.kill('SIGTERM');
    return ended;
  };
  await untilReady(supervisor, programs).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  supervisor.on('message', report);
  return stop;
}

function launch(dataDir: string, programs: ServerProgram[]): ChildProcess {
  const script = path.join(__dirname, 'supervisorProcess.cjs');
  const child = fork(script, [JSON.stringify(programs)], { detached: true, execArgv: [], stdio: 'ignore' });
  if (child.pid) writePid(dataDir, 'supervisor', child.pid);
  child.on('message', ({ name, pid }: News) => pid && writePid(dataDir, name, pid));
  return child;
}

function untilReady(supervisor: ChildProcess, programs: ServerProgram[]): Promise<void> {
  const waiting = new Set(programs.map(({ name }) => name));
  return new Promise((resolve, reject) => {
    const fail = (fault: string) => reject(new StartError(fault));
    supervisor.on('message', ({ name, isReady, fault }: News) => {
      if (isReady) waiting.delete(name);
      if (waiting.size === 0) resolve();
      if (fault) fail(fault);
    });
    supervisor.once('disconnect', () => fail('the supervisor of the servers ended'));
    const late = () => fail(`${[...waiting].join(' and ')} not ready within ${READY_LIMIT_MS / 1000} s`);
    setTimeout(late, READY_LIMIT_MS).unref();
  });
}
