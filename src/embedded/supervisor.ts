import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { OnProgress } from '../common/progressTo';
import { StartError } from '../common/startError';
import type { ServerName } from './binaries/binaryKind';
import { fileOf } from './dataFiles';
import { identify, type ProcessIdentity, readAlive, terminate, writeIdentity } from './processIdentity';

/** How a server is run. */
export interface ServerProgram {
  name: ServerName;
  binary: string;
  args: string[];
  /** The text that it prints when it is ready. */
  readyText: string;
  /** True when its log would contain what clients sent. */
  logsValues: boolean;
}

/** What the supervisor process gets to run a server. */
export interface Run extends ServerProgram {
  logFile: string;
  /** True to start the server again when it ends. The supervisor sets it once the server was ready. */
  isKept: boolean;
}

/** A message of the supervisor process about a server: its new process, that it is ready, or why it ended. */
export type News = { name: ServerName } & ({ pid: number } | { isReady: boolean; ended?: string });

const NAMES = ['supervisor', 'mongod', 'redis-server'] as const;

type Processes = Partial<Record<(typeof NAMES)[number], ProcessIdentity | undefined>>;

const READY_LIMIT_MS = 90_000;
// The supervisor process kills a server that has not ended after 10 s.
const STOP_LIMIT_MS = 12_000;

/** Ends the servers and the supervisor that an earlier service left running in a data directory. */
export async function endStrays(dataDir: string): Promise<void> {
  await endAll(dataDir, Object.fromEntries(NAMES.map((name) => [name, readAlive(fileOf(dataDir, name, 'pid'))])));
}

/** Runs the servers of a data directory in a process that outlives this one only until it has ended the servers. */
export class Supervisor {
  private readonly processes: Processes = {};
  private readonly programs: ServerProgram[] = [];
  private readonly news = new EventEmitter();
  private isStopping = false;
  private child: ChildProcess;

  constructor(
    private readonly dataDir: string,
    private readonly onProgress: OnProgress,
  ) {
    this.child = this.launch();
  }

  /** @throws StartError when the server cannot be used within 90 s */
  async start(program: ServerProgram): Promise<void> {
    const { name, binary } = program;
    const timer = new AbortController();
    const late = delay(READY_LIMIT_MS, [{ ended: `not ready after ${READY_LIMIT_MS / 1000} s` }], timer);
    this.programs.push(program);
    this.send(program, false);
    const [{ ended }] = await Promise.race([once(this.news, name), late]);
    timer.abort();
    const log = fileOf(this.dataDir, name, 'log');
    if (ended) throw new StartError(`${name} (${binary}) did not start: ${ended}; see ${log}`);
    this.news.on(name, (news) =>
      this.onProgress(`${name} ${news.ended ? `${news.ended}: starting it again` : 'runs again'}`),
    );
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await endAll(this.dataDir, this.processes);
  }

  private launch(): ChildProcess {
    const script = path.join(__dirname, 'supervisorProcess.cjs');
    const child = fork(script, { detached: true, execArgv: [], stdio: 'ignore' });
    this.remember('supervisor', child.pid);
    child.on('message', (news: News) => {
      if ('pid' in news) this.remember(news.name, news.pid);
      else this.news.emit(news.name, news);
    });
    child.once('exit', () => void this.replace());
    return child;
  }

  /** Replaces a supervisor that somebody killed, and starts all servers again. */
  private async replace(): Promise<void> {
    if (this.isStopping) return;
    this.onProgress('the supervisor of the servers ended: starting all of them again');
    await endAll(this.dataDir, this.processes);
    if (this.isStopping) return;
    this.child = this.launch();
    for (const program of this.programs) this.send(program, true);
  }

  private send(program: ServerProgram, isKept: boolean): void {
    const run: Run = { ...program, isKept, logFile: fileOf(this.dataDir, program.name, 'log') };
    this.child.send(run, () => undefined); // `replace` handles a supervisor that is gone
  }

  private remember(name: keyof Processes, pid: number | undefined): void {
    const identity = pid && identify(pid);
    this.processes[name] = identity || undefined;
    try {
      if (identity) writeIdentity(fileOf(this.dataDir, name, 'pid'), identity);
    } catch {
      // The folder was removed, or the disk is full. Only a start after a kill of both this process and the supervisor
      // needs the file.
    }
  }
}

/** Ends the supervisor first, because it ends the others in order. */
async function endAll(dataDir: string, processes: Processes): Promise<void> {
  for (const name of NAMES) {
    const identity = processes[name];
    if (identity) await terminate(identity, STOP_LIMIT_MS);
    rmSync(fileOf(dataDir, name, 'pid'), { force: true });
  }
}
