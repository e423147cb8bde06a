import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the path of a file about a process of a data directory: its pid and start time, its port (the next start uses
 * the same one), its URL, or its log.
 */
export function serverFile(dataDir: string, name: string, kind: 'pid' | 'port' | 'url' | 'log'): string {
  return path.join(dataDir, `${name}.${kind}`);
}

/** Writes a file that only its owner may read, in one atomic step. */
export function writePrivate(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, file);
}

/** Reads a small text file; returns an empty string when the file cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
