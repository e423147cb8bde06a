import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder in memory, on Linux. Its files survive a killed process, like files on a disk. */
const memory = '/dev/shm';
/** The most space that the stores of a run need, with a reserve. */
const neededBytes = 4 * 2 ** 30;

/**
 * Makes a folder for the data of the stores, in memory when there is enough space. Every commit waits until its journal
 * is on the disk. On a real disk, this wait is half of the time of tests that commit one activity after the other.
 */
export function makeDataFolder(prefix: string): string {
  return mkdtempSync(path.join(hasRoom() ? memory : tmpdir(), prefix));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}
