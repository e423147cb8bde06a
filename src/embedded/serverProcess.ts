import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../common/startError';
import { messageOf } from '../common/systemError';
import type { ServerName } from './binaries/binaryKind';
import { logFile, pidFile, portFile } from './dataFiles';
import { freePort, isListening, isPortFree } from './freePort';
import {
  forgetIdentity,
  identify,
  type ProcessIdentity,
  readAlive,
  readText,
  terminate,
  writeIdentity,
} from './processIdentity';
import { scrubLog } from './scrubLog';

/** What is needed to start one kind of server. */
export interface ServerProgram {
  name: ServerName;
  binary: string;
  args: (port: number) => string[];
  /** Its log would hold what clients sent, so it writes to its output, from where only the rest is kept. */
  logsValues: boolean;
  /** Makes the listening server ready for use; rejects when that is impossible, or when a process other than `pid` answers. */
  prepare: (port: number, pid: number) => Promise<void>;
}

/** A server that runs, whether this process started it or took it over. */
export interface RunningServer {
  identity: ProcessIdentity;
  port: number;
}

const READY_LIMIT_MS = 90_000;
const STOP_GRACE_MS = 10_000;
const POLL_MS = 20;
const PORT_ATTEMPTS = 3;

/**
 * Gives the server of a data directory: the one that is alive there, else a new one, on the port it had before when that is free.
 * @throws StartError when it does not come up within 90 s
 */
export async function runServer(dataDir: string, program: ServerProgram): Promise<RunningServer> {
  return (await takeOver(dataDir, program)) ?? (await startNew(dataDir, program));
}

/** Ends the server of a data directory: in order, or by force after 10 s. */
export async function stopServer(dataDir: string, name: ServerName): Promise<void> {
  const file = pidFile(dataDir, name);
  const identity = readAlive(file);
  if (identity) await terminate(identity, STOP_GRACE_MS);
  forgetIdentity(file);
}

/** Gives the server of a data directory when it runs. */
export function findServer(dataDir: string, name: ServerName): RunningServer | undefined {
  const identity = readAlive(pidFile(dataDir, name));
  const port = readPort(dataDir, name);
  return identity && port !== undefined ? { identity, port } : undefined;
}

async function takeOver(dataDir: string, program: ServerProgram): Promise<RunningServer | undefined> {
  const running = findServer(dataDir, program.name);
  if (!running) return undefined;
  const timer = new AbortController();
  const failure = await outcome(becomeReady(running, program, timer.signal), timer);
  if (failure === undefined) return running;
  await stopServer(dataDir, program.name);
  return undefined;
}

async function startNew(dataDir: string, program: ServerProgram): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(readPort(dataDir, program.name));
    const started = await tryStart(dataDir, program, port);
    if (typeof started !== 'string') return started;
    await stopServer(dataDir, program.name);
    const reason = `${program.name} (${program.binary}) did not start: ${started}; see ${logFile(dataDir, program.name)}`;
    // Somebody else may have taken the port between our look and the server's: that alone is worth another try.
    if (attempt === PORT_ATTEMPTS || (await isPortFree(port))) throw new StartError(reason);
  }
}

/** Gives the server, or why it did not come up. */
async function tryStart(dataDir: string, program: ServerProgram, port: number): Promise<RunningServer | string> {
  const child = spawnInto(logFile(dataDir, program.name), program, port);
  const ended = endOf(child);
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (!identity) return ended;
  writeIdentity(pidFile(dataDir, program.name), identity);
  writeFileSync(portFile(dataDir, program.name), `${port}\n`, { mode: 0o600 });
  child.unref();
  const timer = new AbortController();
  const failure = await outcome(Promise.race([ended, becomeReady({ identity, port }, program, timer.signal)]), timer);
  return failure ?? { identity, port };
}

/**
 * Where Linux has `chrt`, the server runs as a batch process: what it is sent does not interrupt the sender, who shares
 * few processors with it (decision 23). Elsewhere it runs as any other. Its files are its user's alone.
 */
const RUN = 'umask 077; chrt -b -p 0 $$ >/dev/null 2>&1; exec "$0" "$@"';

/** Its own process group keeps a Ctrl-C in the terminal away from the server: it must outlive the requests in flight. */
function spawnInto(log: string, program: ServerProgram, port: number): ChildProcess {
  const args = ['-c', RUN, program.binary, ...program.args(port)];
  const start = (output: number | Writable) => spawn('sh', args, { detached: true, stdio: ['ignore', output, output] });
  if (program.logsValues) {
    const output = scrubLog(log);
    const child = start(output);
    // The server has it now; the log ends when the server does.
    output.destroy();
    return child;
  }
  const output = openSync(log, 'a', 0o600);
  try {
    return start(output);
  } finally {
    closeSync(output);
  }
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with code ${code}`));
  });
}

async function becomeReady(server: RunningServer, program: ServerProgram, signal: AbortSignal): Promise<undefined> {
  while (!(await isListening(server.port))) await delay(POLL_MS, undefined, { signal });
  await program.prepare(server.port, server.identity.pid);
}

/** Gives why the work failed or was not done in time, undefined when it succeeded. */
async function outcome(work: Promise<string | undefined>, timer: AbortController): Promise<string | undefined> {
  const limit = delay(READY_LIMIT_MS, `not ready after ${READY_LIMIT_MS / 1000} s`, { signal: timer.signal });
  try {
    return await Promise.race([work, limit]);
  } catch (error) {
    return messageOf(error);
  } finally {
    timer.abort();
  }
}

function readPort(dataDir: string, name: ServerName): number | undefined {
  const text = readText(portFile(dataDir, name))?.trim() ?? '';
  return /^\d{1,5}$/.test(text) ? Number(text) : undefined;
}
