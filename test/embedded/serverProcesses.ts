import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The pids the directory's pid files name, without its owner, as far as they run. */
export function processesOf(directory: string): number[] {
  const files = readdirSync(directory).filter((name) => name.endsWith('.pid') && name !== 'owner.pid');
  const pids = files.map((name) => Number(readFileSync(path.join(directory, name), 'utf8').split(' ')[0]));
  return pids.filter(isRunning);
}

/** The number of `SCHED_BATCH`. */
export const batchPolicy = 3;

/** How Linux schedules a process: the 41st field of its `stat`. */
export function policyOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  return Number(afterName.split(' ')[38]);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
