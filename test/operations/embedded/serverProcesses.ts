import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the pids of the running processes that the pid files of the directory name. */
export function processesOf(directory: string): number[] {
  const files = readdirSync(directory).filter((name) => name.endsWith('.pid'));
  const pids = files.map((name) => Number(readFileSync(path.join(directory, name), 'utf8').split(' ')[0]));
  return pids.filter(isRunning);
}

/** Returns the pid in a pid file of the directory. */
export function pidOf(directory: string, name: string): number {
  return Number(readFileSync(path.join(directory, `${name}.pid`), 'utf8').split(' ')[0]);
}

/** Returns the running commands that name the directory. */
export function commandsNaming(directory: string): string[] {
  const commands = execFileSync('ps', ['-eww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return commands.filter((command) => command.includes(directory));
}

/** Returns the pid of the owner of the directory; undefined when it has none. */
export function ownerOf(directory: string): number | undefined {
  const folder = path.join(directory, 'owner');
  const [owner] = existsSync(folder) ? readdirSync(folder) : [];
  return owner === undefined ? undefined : Number(owner.split(' ')[0]);
}

/** The number of `SCHED_BATCH`. */
export const batchPolicy = 3;

/** Returns the scheduling policy of a process on Linux: the 41st field of its `stat`. */
export function policyOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  return Number(afterName.split(' ')[38]);
}

/** Tells whether a process runs. A zombie does not run. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
