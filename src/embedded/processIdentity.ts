import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isErrno } from '../common/systemError';
import { writePrivate } from './writePrivate';

/** A process, told apart from a later one with the same pid by its start time (an opaque word). */
export interface ProcessIdentity {
  pid: number;
  startTime: string;
}

const POLL_MS = 20;

/** Gives the identity of a running process, undefined when it is gone or a zombie. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startTime = existsSync('/proc/self/stat') ? startTimeFromProc(pid) : startTimeFromPs(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

/** Tells whether this very process still runs. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startTime === identity.startTime;
}

/** Writes `pid startTime` in one atomic step. */
export function writeIdentity(file: string, { pid, startTime }: ProcessIdentity): void {
  writePrivate(file, `${pid} ${startTime}\n`);
}

/** Reads what `writeIdentity` wrote, undefined when there is no such file or it is damaged. */
export function readIdentity(file: string): ProcessIdentity | undefined {
  const text = readText(file);
  const match = text === undefined ? null : /^(\d+) (\S+)\s*$/.exec(text);
  return match?.[1] && match[2] ? { pid: Number(match[1]), startTime: match[2] } : undefined;
}

/** Gives the identity a file names when that process runs. */
export function readAlive(file: string): ProcessIdentity | undefined {
  const identity = readIdentity(file);
  return identity && isAlive(identity) ? identity : undefined;
}

/** Ends a process that leads its own group: SIGTERM, then SIGKILL to the group after `graceMs`; returns when it is gone. */
export async function terminate(identity: ProcessIdentity, graceMs: number): Promise<void> {
  const killAt = Date.now() + graceMs;
  if (graceMs > 0) signal(identity, identity.pid, 'SIGTERM');
  while (isAlive(identity)) {
    if (Date.now() >= killAt) signal(identity, -identity.pid, 'SIGKILL');
    await delay(POLL_MS);
  }
}

/** Deletes a pid file. */
export function forgetIdentity(file: string): void {
  rmSync(file, { force: true });
}

function signal(identity: ProcessIdentity, target: number, name: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(target, name);
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}

/** Reads a small text file, undefined when it is not there. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT') || isErrno(error, 'ESRCH') || isErrno(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Field 22 of proc_pid_stat(5), clock ticks since boot; counted from behind the name, which may hold spaces and brackets. */
function startTimeFromProc(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] === 'Z' || fields?.[0] === 'X' ? undefined : fields?.[19];
}

function startTimeFromPs(pid: number): string | undefined {
  try {
    const options = { encoding: 'utf8', stdio: 'pipe' } as const;
    const text = execFileSync('env', ['LC_ALL=C', 'ps', '-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], options);
    const [state, ...startTime] = text.trim().split(/\s+/);
    return state === undefined || state === '' || state.startsWith('Z') ? undefined : startTime.join('_');
  } catch {
    return undefined; // ps exits 1 when there is no such process
  }
}
