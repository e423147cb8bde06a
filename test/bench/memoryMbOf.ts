import { readFileSync } from 'node:fs';

/** The lines of `/proc/<pid>/status` that tell the resident memory of a process: now, and the most so far. */
const lines = { now: /VmRSS:\s+(\d+)/, peak: /VmHWM:\s+(\d+)/ } as const;

/** Returns the resident memory of a process in MB; 0 when it has ended. Linux tells it. */
export function memoryMbOf(pid: number, which: keyof typeof lines): number {
  try {
    const [, kilobytes = '0'] = lines[which].exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}
