import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readText, serverFile, writePrivate } from './dataFiles';

/**
 * Returns the identity of a running process: its pid and its start time, which tells it apart from a later process with
 * the same pid. Returns undefined when the process is gone or a zombie.
 */
export function identify(pid: number): string | undefined {
  const startTime = process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
  return startTime && `${pid} ${startTime}`;
}

/** Returns the pid of an identity; undefined when that process no longer runs. */
export function livingPid(identity: string): number | undefined {
  const pid = Number.parseInt(identity, 10);
  return identify(pid) === identity ? pid : undefined;
}

/** Writes the pid file of a process of a data directory. */
export function writePid(dataDir: string, name: string, pid: number): void {
  try {
    writePrivate(serverFile(dataDir, name, 'pid'), `${identify(pid)}\n`);
  } catch {
    // The folder was removed, or the disk is full. The process runs, and ends with the service, without the file too.
  }
}

/** Returns the pid of a process of a data directory; undefined when it does not run. */
export function runningPid(dataDir: string, name: string): number | undefined {
  return livingPid(readText(serverFile(dataDir, name, 'pid')).trim());
}

/** Kills the processes that are left in a data directory, and removes their pid files. All they confirmed is on disk. */
export async function killStrays(dataDir: string): Promise<void> {
  for (const name of ['supervisor', 'mongod', 'redis-server']) {
    for (let pid = runningPid(dataDir, name); pid; pid = runningPid(dataDir, name)) {
      kill(pid);
      await delay(20);
    }
    rmSync(serverFile(dataDir, name, 'pid'), { force: true });
  }
}

/** Kills a process that may be gone already; with a negative pid, all of its group. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

/**
 * Reads field 22 of proc_pid_stat(5), in clock ticks since boot. The fields are counted after the name, because the
 * name may contain spaces and brackets.
 */
function startTimeFromProc(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  const [state = 'X', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return 'ZX'.includes(state) ? undefined : fields[18];
}

function startTimeFromPs(pid: number): string {
  const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C' } });
  return ps.stdout.trim().replaceAll(/\s+/g, '_');
}
