import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isErrno } from '../common/systemError';
import { writePrivate } from './dataFiles';

/** A process, told apart from a later one with the same pid by its start time (an opaque word). */
export interface ProcessIdentity {
  pid: number;
  startTime: string;
}

const POLL_MS = 20;

/** Gives the identity of a running process, undefined when it is gone or a zombie. */
export function identify(pid: number): ProcessIdentity | undefined {
  try {
    const startTime = process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
    return startTime === undefined ? undefined : { pid, startTime };
  } catch {
    return undefined; // there is no such process
  }
}

/** Writes `pid startTime` in one atomic step. */
export function writeIdentity(file: string, { pid, startTime }: ProcessIdentity): void {
  writePrivate(file, `${pid} ${startTime}\n`);
}

/** Gives the identity a file names when that process runs. */
export function readAlive(file: string): ProcessIdentity | undefined {
  try {
    const [, pid, startTime = ''] = /^(\d+) (\S+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
    const identity = { pid: Number(pid), startTime };
    return isAlive(identity) ? identity : undefined;
  } catch {
    return undefined; // there is no such file
  }
}

/** Ends a process that leads its own group: SIGTERM, then SIGKILL to the group after `graceMs`; returns when it is gone. */
export async function terminate(identity: ProcessIdentity, graceMs: number): Promise<void> {
  const killAt = Date.now() + graceMs;
  if (isAlive(identity)) signal(identity.pid, 'SIGTERM');
  while (isAlive(identity)) {
    if (Date.now() >= killAt) signal(-identity.pid, 'SIGKILL');
    await delay(POLL_MS);
  }
}

function signal(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name);
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}

/** Tells whether this very process still runs. */
function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  return identify(pid)?.startTime === startTime;
}

/** Field 22 of proc_pid_stat(5), clock ticks since boot; counted from behind the name, which may hold spaces and brackets. */
function startTimeFromProc(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function startTimeFromPs(pid: number): string | undefined {
  const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C' } });
  return text.trim().replaceAll(/\s+/g, '_') || undefined;
}
