import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { isErrno } from '../common/systemError';
import { readText, writePrivate } from './dataFiles';

/** A process. The start time, an opaque word, tells it apart from a later process with the same pid. */
export interface ProcessIdentity {
  pid: number;
  startTime: string;
}

/** Returns the identity of a running process; undefined when it is gone or a zombie. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startTime = process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
  return startTime ? { pid, startTime } : undefined;
}

/** Writes `pid startTime` in one atomic step. */
export function writeIdentity(file: string, { pid, startTime }: ProcessIdentity): void {
  writePrivate(file, `${pid} ${startTime}\n`);
}

/** Returns the identity that a file names, when that process runs. */
export function readAlive(file: string): ProcessIdentity | undefined {
  const [, pid, startTime] = /^(\d+) (\S+)$/m.exec(readText(file)) ?? [];
  const identity = pid === undefined ? undefined : identify(Number(pid));
  return identity?.startTime === startTime ? identity : undefined;
}

/**
 * Ends a process that leads its own group: first SIGTERM to the process, after `graceMs` milliseconds SIGKILL to the
 * group. Returns when the process is gone.
 */
export async function terminate({ pid, startTime }: ProcessIdentity, graceMs: number): Promise<void> {
  const killAt = Date.now() + graceMs;
  for (let isFirst = true; identify(pid)?.startTime === startTime; isFirst = false) {
    if (isFirst) signal(pid, 'SIGTERM');
    if (Date.now() >= killAt) signal(-pid, 'SIGKILL');
    await delay(20);
  }
}

function signal(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name);
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}

/**
 * Reads field 22 of proc_pid_stat(5), in clock ticks since boot. The fields are counted after the name, because the
 * name may contain spaces and brackets.
 */
function startTimeFromProc(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function startTimeFromPs(pid: number): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C' } });
    return text.trim().replaceAll(/\s+/g, '_');
  } catch {
    return undefined; // ps exits 1 when there is no such process
  }
}
