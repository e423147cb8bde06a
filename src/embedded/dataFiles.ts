import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What is kept of a process of a data directory: pid and start time, the port (which stays for the next start), the log. */
export function fileOf(dataDir: string, name: string, kind: 'pid' | 'port' | 'log'): string {
  return path.join(dataDir, `${name}.${kind}`);
}

/** Writes a file that only its user may read, in one atomic step. */
export function writePrivate(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, file);
}

/** Reads a small text file, '' when it is not there. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
