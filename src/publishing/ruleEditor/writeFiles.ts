import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { errorCode } from '#publishing/rulesets/files/errorCode';
import { LeavesFolder, makeProgramFolder } from '#publishing/rulesets/files/orgRoot';
import type { EditedFile } from './editedFiles';

/** Errors of the file system that mean: this folder is not the service's to write. */
const refusals = new Set(['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR']);

/**
 * Writes files below a folder. Each appears whole or not at all, even when the machine stops in between; none appears
 * before all are on the disk.
 * @throws ServiceError 1200 when the folder cannot be written, or a link in it leads out of it
 */
export async function writeFiles(folder: string, files: readonly EditedFile[]): Promise<void> {
  const made: { hidden: string; target: string }[] = [];
  try {
    for (const { path: name, text } of files) {
      const target = path.join(folder, name);
      await makeProgramFolder(folder, path.dirname(target));
      // A load ignores hidden files.
      const hidden = path.join(path.dirname(target), `.${randomBytes(8).toString('hex')}.tmp`);
      made.push({ hidden, target });
      await writeDurably(hidden, text);
    }
    for (const { hidden, target } of made) await rename(hidden, target);
  } catch (error) {
    for (const { hidden } of made) await rm(hidden, { force: true }).catch(() => undefined);
    if (error instanceof LeavesFolder) throw leavesFolder();
    if (refusals.has(errorCode(error))) throw notWritable();
    throw error;
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o644);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The fault of an org whose folder of rules the service may only read. */
export function notWritable() {
  return invalidField('files', 'readOnly', message('ruleFiles.folderReadOnly'));
}

function leavesFolder() {
  return invalidField('files', 'readOnly', message('ruleFiles.folderIsLink'));
}
