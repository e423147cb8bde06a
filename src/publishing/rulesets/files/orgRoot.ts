import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './errorCode';

/** Says that a path leads out of the folder of its org, which nothing that the service reads or writes there may do. */
export class LeavesFolder extends Error {
  override readonly name = 'LeavesFolder';
}

/** Where the folder with the rule files of an org really is. */
export interface OrgRoot {
  /** Real path, without a separator at the end. */
  real: string;
}

/**
 * Finds out where the folder of an org really is. RULES_DIR may be a link. The folder `@<org>` in it may not: else one
 * org would have the files of another, or of the machine.
 * @param folder as `orgRuleFolder` gives it
 * @throws LeavesFolder when it is a link; the error of the file system when there is no such folder
 */
export async function orgRoot(folder: string): Promise<OrgRoot> {
  const real = await realpath(folder);
  const name = path.basename(folder);
  if (name.startsWith('@') && real !== path.join(await realpath(path.dirname(folder)), name)) throw new LeavesFolder();
  return { real };
}

/**
 * The real path of a file or folder of an org.
 * @throws LeavesFolder when a link leads out of the folder of the org; the error of the file system when it is missing
 */
export async function realPathIn(root: OrgRoot, target: string): Promise<string> {
  const real = await realpath(target);
  if (!isWithin(root, real)) throw new LeavesFolder();
  return real;
}

/** Whether a real path is below the folder of an org, and in no folder `@<org>` of another one. Pure. */
export function isWithin({ real: root }: OrgRoot, real: string): boolean {
  const [first = ''] = path.relative(root, real).split(path.sep);
  return first !== '' && first !== '..' && !first.startsWith('@') && !path.isAbsolute(first);
}

/**
 * Makes the folders of a program and of its org, unless they exist.
 * @param folder of the org, as `orgRuleFolder` gives it
 * @param program absolute path of the folder in it
 * @throws LeavesFolder when one of them is a link that leads out of the folder of the org
 */
export async function makeProgramFolder(folder: string, program: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const root = await orgRoot(folder);
  try {
    await realPathIn(root, program);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    // A link to nothing is in the way of the folder, so that this fails.
    await mkdir(program);
  }
}
