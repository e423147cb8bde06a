import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Where a process of a data directory is named: its pid and its start time. */
export function pidFile(dataDir: string, name: string): string {
  return path.join(dataDir, `${name}.pid`);
}

/** Where a server's log is. */
export function logFile(dataDir: string, name: string): string {
  return path.join(dataDir, `${name}.log`);
}

/** Writes a file that only its user may read, in one atomic step. */
export function writePrivate(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, file);
}
