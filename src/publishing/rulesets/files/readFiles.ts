import { constants, type Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '#base/common/messages/message';
import { isRuleFile, isTable } from '#engine/rules/read/fileNames';
import { rootFolder } from '#engine/rules/read/programFaults';
import { lookupCsvLimits } from '#engine/rules/read/tables/csvSource';
import { unknownFolder } from '#engine/rules/read/unknownFolder';
import { fileMaxBytes } from '#engine/rules/source/jsonSource';
import type { RuleFault, RuleFile } from '#engine/rules/source/ruleSource';
import { errorCode } from './errorCode';
import { fileFault } from './fileFault';
import { fileText } from './fileText';
import { type OrgRoot, orgRoot, realPathIn } from './orgRoot';
import { readFailureReason } from './readFailure';

/** Limits for reading the files of one org. */
export const readLimits = {
  /** The smallest programs are read first, so a program that is too large leaves the others alone. */
  totalMaxBytes: 8 * 1_048_576,
  filesMax: 5000,
  /** Maximum number of passes over the disk. A pass is repeated when a file vanishes during it. */
  attemptsMax: 3,
  /** Maximum time in ms of a request that reads and checks all rules of a program and runs their tests. */
  answerMaxMs: 60_000,
} as const;

/** The files that could be read, sorted by path, and faults for those that could not. */
export interface FilesRead {
  files: RuleFile[];
  /** Each names the folder of a program, or the root folder. */
  faults: RuleFault[];
  /** The folders with rule files that belong to no program. */
  strays: RuleFault[];
  /** What is no program's folder and cannot be read. */
  warnings: RuleFault[];
}

/**
 * Reads the rule files of one org: the `.json` files directly in a program folder, and the `.csv` files beside them
 * with the rows of tables. Never throws: a file that cannot be read becomes a fault. Never opens a pipe or device, nor
 * what a link outside of the folder leads to.
 * @param folder absolute path of the folder with the program folders
 * @param codes codes of the programs; no other folder is read
 */
export async function readFiles(folder: string, codes: Iterable<string>): Promise<FilesRead> {
  const programs = new Set(codes);
  for (let attempt = 1; ; attempt += 1) {
    const read = new Reading(attempt >= readLimits.attemptsMax);
    await readOrg(read, folder, programs);
    if (read.vanished) continue;
    const { files, faults, strays, warnings } = read;
    return { files: files.sort(byPath), faults, strays, warnings };
  }
}

/** The results of one pass over the disk so far. */
class Reading {
  readonly files: RuleFile[] = [];
  readonly faults: RuleFault[] = [];
  readonly strays: RuleFault[] = [];
  readonly warnings: RuleFault[] = [];
  vanished = false;
  bytes = 0;

  constructor(private readonly isLast: boolean) {}

  fault(file: string, fault: Message): void {
    this.faults.push(fileFault(file, fault));
  }

  /** Adds a fault. When a listed path has vanished, requests another pass instead, except in the last pass. */
  failed(file: string, error: unknown): void {
    if (errorCode(error) === 'ENOENT' && !this.isLast) this.vanished = true;
    else this.fault(file, readFailureReason(error));
  }
}

async function readOrg(read: Reading, folder: string, codes: ReadonlySet<string>): Promise<void> {
  try {
    await readPrograms(read, await orgRoot(folder), codes);
  } catch (error) {
    // Without a folder there are no files.
    if (errorCode(error) !== 'ENOENT') read.failed(rootFolder, error);
  }
}

async function readPrograms(read: Reading, root: OrgRoot, codes: ReadonlySet<string>): Promise<void> {
  const folder = root.real;
  const listed: ListedProgram[] = [];
  for (const entry of await listFolder(read, folder, rootFolder)) {
    // `@` folders belong to other orgs. Files such as README.md and rule.schema.json are beside the program folders.
    if (/^[.@]/.test(entry.name) || entry.isFile()) continue;
    if (!codes.has(entry.name)) {
      await noteStray(read, root, entry.name, codes);
      continue;
    }
    const target = await folderAt(read, root, entry.name);
    if (target) listed.push(await listProgram(read, root, target, entry.name));
  }
  listed.sort((a, b) => a.bytes - b.bytes || (a.name < b.name ? -1 : 1));
  for (const program of listed) await readProgram(read, program);
}

/** Warns of a folder with rule files that belongs to no program. */
async function noteStray(read: Reading, root: OrgRoot, name: string, codes: ReadonlySet<string>): Promise<void> {
  try {
    const names = await readdir(await realPathIn(root, path.join(root.real, name)));
    if (names.some(isRuleFile)) read.strays.push(unknownFolder(shownName(name), codes));
  } catch (error) {
    // What is no folder, or is gone, is no program's either.
    if (!['ENOTDIR', 'ENOENT'].includes(errorCode(error)))
      read.warnings.push(fileFault(shownName(name), readFailureReason(error)));
  }
}

/** The entries of a folder, sorted by name. Empty when the root folder does not exist. */
async function listFolder(read: Reading, folder: string, name: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (name !== rootFolder || errorCode(error) !== 'ENOENT') read.failed(name, error);
    return [];
  }
}

/** The real path of a program's folder; undefined when there is a fault, or it is no folder. */
async function folderAt(read: Reading, root: OrgRoot, name: string): Promise<string | undefined> {
  try {
    const real = await realPathIn(root, path.join(root.real, name));
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch (error) {
    read.failed(name, error);
    return undefined;
  }
}

/** The rule files of a program, not read yet. */
interface ListedProgram {
  name: string;
  files: { target: string; file: string }[];
  bytes: number;
}

async function listProgram(read: Reading, root: OrgRoot, folder: string, name: string): Promise<ListedProgram> {
  const none = { name, files: [], bytes: 0 };
  const entries = (await listFolder(read, folder, name)).filter(({ name: own }) => isRuleFile(own) || isTable(own));
  // A folder without rule files has no tables, so its CSV files are ignored.
  if (!entries.some((entry) => isRuleFile(entry.name))) return none;
  if (entries.length > readLimits.filesMax) {
    read.fault(name, message('ruleFiles.tooManyFiles', { max: readLimits.filesMax }));
    return none;
  }
  const files: ListedProgram['files'] = [];
  let bytes = 0;
  for (const entry of entries) {
    const file = path.posix.join(name, entry.name);
    if (!hasFitName(read, entry, file)) continue;
    const found = await findFile(read, root, path.join(folder, entry.name), file);
    if (!found) continue;
    files.push({ target: found.target, file });
    bytes += found.size;
  }
  return { name, files, bytes };
}

/** Control characters would garble lists of names. A name that is not UTF-8 contains U+FFFD and cannot be opened. */
const unfitName = /[\p{Cc}\uFFFD]/u;

function hasFitName(read: Reading, entry: Dirent, file: string): boolean {
  const isFit = !unfitName.test(entry.name);
  if (!isFit) read.fault(shownName(file), message('ruleFiles.unfitName'));
  return isFit;
}

function shownName(file: string): string {
  return file.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** The real path and the size of a file that can be opened and is not too large. */
async function findFile(
  read: Reading,
  root: OrgRoot,
  listed: string,
  file: string,
): Promise<{ target: string; size: number } | undefined> {
  try {
    const target = await realPathIn(root, listed);
    const found = await stat(target);
    // Opening a pipe or a device could wait forever.
    if (!found.isFile()) read.fault(file, message(isTable(file) ? 'ruleFiles.noTableFile' : 'ruleFiles.noFile'));
    else if (found.size > maxFileBytes(file)) read.fault(file, tooLarge(file, found.size));
    else return { target, size: found.size };
  } catch (error) {
    read.failed(file, error);
  }
  return undefined;
}

async function readProgram(read: Reading, { name, files, bytes }: ListedProgram): Promise<void> {
  if (read.files.length + files.length > readLimits.filesMax) {
    return read.fault(name, message('ruleFiles.tooManyFilesOfOrg', { count: files.length, max: readLimits.filesMax }));
  }
  if (read.bytes + bytes > readLimits.totalMaxBytes) {
    return read.fault(name, message('ruleFiles.filesTooLargeWith', { size: megabytes(bytes) }));
  }
  for (const { target, file } of files) {
    try {
      await readOne(read, target, file);
    } catch (error) {
      read.failed(file, error);
    }
  }
}

async function readOne(read: Reading, target: string, file: string): Promise<void> {
  // The path is a real one. A link that takes its place in the meantime is not followed.
  const bytes = await readFile(target, { flag: constants.O_RDONLY | constants.O_NOFOLLOW });
  // A file may have grown since it was listed.
  if (bytes.length > maxFileBytes(file)) return read.fault(file, tooLarge(file, bytes.length));
  if (read.bytes + bytes.length > readLimits.totalMaxBytes) {
    return read.fault(file, message('ruleFiles.filesTooLarge'));
  }
  const content = fileText(bytes);
  if ('fault' in content) return read.fault(file, content.fault);
  read.bytes += bytes.length;
  read.files.push({ path: file, text: content.text });
}

/** A lookup table may be larger than other files. A table of rows is checked when it is read. */
function maxFileBytes(file: string): number {
  return isTable(file) ? lookupCsvLimits.bytes : fileMaxBytes;
}

function tooLarge(file: string, size: number): Message {
  return message('ruleFiles.fileTooLarge', { size: megabytes(size), max: maxFileBytes(file) / fileMaxBytes });
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}

function byPath(a: RuleFile, b: RuleFile): number {
  return a.path < b.path ? -1 : 1;
}
