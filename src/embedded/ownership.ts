import { chmodSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { StartError } from '../common/startError';
import { isErrno } from '../common/systemError';
import { fileOf } from './dataFiles';
import { identify, type ProcessIdentity, readAlive, writeIdentity } from './processIdentity';

/**
 * Makes this process the only owner of a data directory, and closes the directory, and so all that is in it, to other
 * users. It replaces an owner that no longer runs.
 * @throws StartError when another live process owns the directory, or when it belongs to another user, who could put
 *   any file there
 */
export function claimOwnership(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  refuseForeign(dataDir);
  chmodSync(dataDir, 0o700);
  const file = fileOf(dataDir, 'owner', 'pid');
  const claim = `${file}.claim-${process.pid}`;
  writeIdentity(claim, identify(process.pid) ?? { pid: process.pid, startTime: 'unknown' });
  try {
    while (!linkNew(claim, file)) refuseSecond(dataDir, readAlive(file) ?? retire(file));
  } finally {
    rmSync(claim, { force: true });
  }
}

/** Ends the ownership of a data directory. */
export function releaseOwnership(dataDir: string): void {
  rmSync(fileOf(dataDir, 'owner', 'pid'), { force: true });
}

function refuseForeign(dataDir: string): void {
  const { uid } = statSync(dataDir);
  const ownUid = process.getuid?.() ?? uid;
  if (uid === ownUid) return;
  const remedy = 'give it to this user, or set another DATA_DIR';
  throw new StartError(
    `DATA_DIR ${dataDir} belongs to another user (uid ${uid}, this process runs as ${ownUid}): ${remedy}`,
  );
}

function refuseSecond(dataDir: string, owner: ProcessIdentity | undefined): void {
  const remedy = 'stop it, or set another DATA_DIR and PORT';
  if (owner) throw new StartError(`already running as pid ${owner.pid} with DATA_DIR ${dataDir}: ${remedy}`);
}

/**
 * Creates a file with its content atomically, and only when it does not exist. Nothing but a hard link can do both.
 * Returns false when the file exists.
 */
function linkNew(claim: string, file: string): boolean {
  try {
    linkSync(claim, file);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Removes the file of an owner that no longer runs. When another start has meanwhile put its own file there, it puts
 * that file back and returns its owner.
 */
function retire(file: string): ProcessIdentity | undefined {
  const retired = `${file}.retired-${process.pid}`;
  try {
    renameSync(file, retired);
    const owner = readAlive(retired);
    if (owner) linkNew(retired, file);
    return owner;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  } finally {
    rmSync(retired, { force: true });
  }
}
