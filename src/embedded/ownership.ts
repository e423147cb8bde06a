import { linkSync, renameSync, rmSync } from 'node:fs';
import { StartError } from '../common/startError';
import { isErrno } from '../common/systemError';
import { ownerFile } from './dataFiles';
import { keepPrivate } from './keepPrivate';
import { forgetIdentity, identify, type ProcessIdentity, readAlive, writeIdentity } from './processIdentity';

/**
 * Makes this process the one owner of a data directory; an owner that is gone is replaced.
 * @throws StartError when another live process owns it, or it belongs to another user
 */
export function claimOwnership(dataDir: string): void {
  keepPrivate(dataDir);
  const file = ownerFile(dataDir);
  const claim = `${file}.claim-${process.pid}`;
  writeIdentity(claim, ownIdentity());
  try {
    while (!linkNew(claim, file)) retireStale(dataDir, file);
  } finally {
    rmSync(claim, { force: true });
  }
}

/** Gives a data directory up. */
export function releaseOwnership(dataDir: string): void {
  forgetIdentity(ownerFile(dataDir));
}

/** A hard link is the one way to create a file with its content atomically and only when there is none. */
function linkNew(claim: string, file: string): boolean {
  try {
    linkSync(claim, file);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

function retireStale(dataDir: string, file: string): void {
  refuseWhenAlive(dataDir, readAlive(file));
  const retired = `${file}.retired-${process.pid}`;
  try {
    renameSync(file, retired);
    const owner = readAlive(retired);
    // Another start may have replaced the stale owner between the two lines above: give it its place back.
    if (owner) linkNew(retired, file);
    refuseWhenAlive(dataDir, owner);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  } finally {
    rmSync(retired, { force: true });
  }
}

function refuseWhenAlive(dataDir: string, owner: ProcessIdentity | undefined): void {
  if (!owner) return;
  throw new StartError(
    `already running as pid ${owner.pid} with DATA_DIR ${dataDir}: stop it, or set another DATA_DIR and PORT`,
  );
}

function ownIdentity(): ProcessIdentity {
  const identity = identify(process.pid);
  if (!identity) throw new Error('the start time of this process cannot be read');
  return identity;
}
