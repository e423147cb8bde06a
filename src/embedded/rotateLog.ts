import { renameSync, statSync } from 'node:fs';
import type { ServerName } from './binaries/binaryKind';
import { logFile } from './dataFiles';

const LOG_MAX_BYTES = 16_000_000;

/** Puts a server's log aside as `.1`, over the one before, once it is longer than 16 MB; so two of them are the most there is. */
export function rotateLog(dataDir: string, name: ServerName, maxBytes: number = LOG_MAX_BYTES): void {
  const file = logFile(dataDir, name);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= maxBytes) return;
  // Both servers' logs are opened anew for each line.
  renameSync(file, `${file}.1`);
}
