import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../common/startError';
import { isErrno } from '../common/systemError';
import { fileOf } from './dataFiles';
import { identify, type ProcessIdentity, readAlive, writeIdentity } from './processIdentity';

/** What this service and its servers make in a data directory; what else is there keeps its rights. */
const ownName = /^(?:mongod|mongodb|redis|redis-server|owner|supervisor|secrets)(?:\.|$)/;

/**
 * Makes this process the one owner of a data directory, in place of one that is gone, and closes it to other users.
 * @throws StartError when another live process owns it, or it belongs to another user, who could put there what he wants
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

/** Gives a data directory up. */
export function releaseOwnership(dataDir: string): void {
  rmSync(fileOf(dataDir, 'owner', 'pid'), { force: true });
}

/** Keeps what the service and its servers made in a data directory from other users, whoever made it and with whatever rights. */
export function keepPrivate(dataDir: string): void {
  for (const name of readdirSync(dataDir).filter((entry) => ownName.test(entry))) tighten(path.join(dataDir, name));
}

/** Links are left alone: their targets may be anywhere. */
function tighten(place: string): void {
  const stat = lstatSync(place);
  if (stat.isFile()) chmodSync(place, 0o600);
  if (!stat.isDirectory()) return;
  chmodSync(place, 0o700);
  for (const name of readdirSync(place)) tighten(path.join(place, name));
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

/** Takes a stale owner away; gives the one that another start has put there meanwhile, and its place back. */
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
