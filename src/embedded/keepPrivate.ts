import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../common/startError';
import { isErrno } from '../common/systemError';

/** What this service and its servers make in a data directory; what else is there keeps its rights. */
const ownName = /^(?:mongod|mongodb|redis|redis-server|owner|watchdog|secrets)(?:\.|$)/;

/**
 * Makes a data directory, and keeps it and what the service makes in it from other users of the machine, whoever made it
 * and with whatever rights.
 * @throws StartError when it belongs to somebody else, who could put there what he wants
 */
export function keepPrivate(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { uid } = statSync(dataDir);
  const ownUid = process.getuid?.();
  if (ownUid !== undefined && uid !== ownUid) {
    throw new StartError(
      `DATA_DIR ${dataDir} belongs to another user (uid ${uid}, this process runs as ${ownUid}): give it to this user, or set another DATA_DIR`,
    );
  }
  chmodSync(dataDir, 0o700);
  for (const entry of readdirSync(dataDir).filter((name) => ownName.test(name))) tighten(path.join(dataDir, entry));
}

/** Links are left alone: their targets may be anywhere. */
function tighten(place: string): void {
  try {
    const stat = lstatSync(place);
    if (stat.isFile()) chmodSync(place, 0o600);
    if (!stat.isDirectory()) return;
    chmodSync(place, 0o700);
    for (const entry of readdirSync(place)) tighten(path.join(place, entry));
  } catch (error) {
    // A server that is taken over, or another start, deletes files meanwhile.
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}
