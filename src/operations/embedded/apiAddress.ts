import { readText, serverFile, writePrivate } from './dataFiles';
import { runningPid, writePid } from './pidFiles';

const name = 'api';

/** Notes at which URL the API of this process listens, for commands that run beside it with the same data directory. */
export function noteApi(dataDir: string, url: string): void {
  try {
    writePrivate(serverFile(dataDir, name, 'url'), `${url}\n`);
  } catch {
    // The folder was removed, or the disk is full. Only what commands print to try depends on it.
    return;
  }
  writePid(dataDir, name, process.pid);
}

/** The URL of the API that runs with a data directory; undefined when none runs. */
export function runningApi(dataDir: string): string | undefined {
  return (runningPid(dataDir, name) && readText(serverFile(dataDir, name, 'url')).trim()) || undefined;
}
