import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The pids the directory's pid files name, without its owner, as far as they run. */
export function processesOf(directory: string): number[] {
  const files = readdirSync(directory).filter((name) => name.endsWith('.pid') && name !== 'owner.pid');
  const pids = files.map((name) => Number(readFileSync(path.join(directory, name), 'utf8').split(' ')[0]));
  return pids.filter(isRunning);
}

/** The pid that a pid file of the directory names. */
export function pidOf(directory: string, name: string): number {
  return Number(readFileSync(path.join(directory, `${name}.pid`), 'utf8').split(' ')[0]);
}

/** The commands that run and name the directory. */
export function commandsNaming(directory: string): string[] {
  const commands = execFileSync('ps', ['-eww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return commands.filter((command) => command.includes(directory));
}

/** The number of `SCHED_BATCH`. */
export const batchPolicy = 3;

/** How Linux schedules a process: the 41st field of its `stat`. */
export function policyOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  return Number(afterName.split(' ')[38]);
}

/** Tells whether a process runs; one that is gone and that nobody has asked for yet does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
