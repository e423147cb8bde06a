import { readFileSync } from 'node:fs';

/** Returns the processor time of a process so far, in milliseconds. Linux counts it in 100 ticks per second. */
export function processorMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
