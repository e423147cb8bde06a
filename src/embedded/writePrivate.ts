import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file that only its user may read, in one atomic step. */
export function writePrivate(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, file);
}
