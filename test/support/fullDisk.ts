import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';

/** Starts a server whose disk can be made to take no more writes. Linux alone. */
export function spawnFillable(binary: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
  // Without this a write beyond the limit would end the process by a signal, instead of failing as on a full disk.
  return spawn('sh', ['-c', 'trap "" XFSZ; exec "$0" "$@"', binary, ...args], { stdio });
}

/** Lets each write of a process to a file fail, as on a full disk. It needs no small file system, and no root. */
export function refuseWrites({ pid }: ChildProcess): void {
  limitFiles(pid, '1:unlimited');
}

/** Ends {@link refuseWrites}. */
export function takeWrites({ pid }: ChildProcess): void {
  limitFiles(pid, 'unlimited:unlimited');
}

function limitFiles(pid: number | undefined, sizes: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${sizes}`]);
}
