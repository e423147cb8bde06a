import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '#base/common/startError';
import { isErrno } from '#base/common/systemError';
import { writePrivate } from './dataFiles';
import { identify, livingPid } from './pidFiles';

/**
 * Makes this process the only owner of a data directory, and closes the directory, and so all that is in it, to other
 * users. The owner is the only entry of the folder `owner`; its name is the identity of the process. A folder can only
 * replace an empty one, so of starts at the same time one wins.
 * @throws StartError when another live process owns the directory, or when it belongs to another user, who could put
 *   any file there
 */
export function claimOwnership(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { uid } = statSync(dataDir);
  const ownUid = process.getuid?.() ?? uid;
  if (uid !== ownUid) {
    const ownerText = `belongs to another user (uid ${uid}, this process runs as ${ownUid})`;
    throw new StartError(`DATA_DIR ${dataDir} ${ownerText}: give it to this user, or set another DATA_DIR`);
  }
  chmodSync(dataDir, 0o700);
  const folder = path.join(dataDir, 'owner');
  const claim = mkdtempSync(`${folder}-`);
  try {
    writePrivate(path.join(claim, ownName()), '');
    renameSync(claim, folder);
    return;
  } catch (error) {
    rmSync(claim, { recursive: true });
    if (!isErrno(error, 'ENOTEMPTY') && !isErrno(error, 'EEXIST')) throw error;
  }
  for (const owner of readdirSync(folder)) {
    const pid = livingPid(owner);
    const remedy = 'stop it, or set another DATA_DIR and PORT';
    if (pid) throw new StartError(`already running as pid ${pid} with DATA_DIR ${dataDir}: ${remedy}`);
    rmSync(path.join(folder, owner), { force: true });
  }
  claimOwnership(dataDir); // the owner was dead
}

/** Ends the ownership of a data directory. */
export function releaseOwnership(dataDir: string): void {
  rmSync(path.join(dataDir, 'owner', ownName()), { force: true });
}

function ownName(): string {
  return identify(process.pid) ?? String(process.pid);
}
