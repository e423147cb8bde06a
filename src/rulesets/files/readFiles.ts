import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileMaxBytes } from '../../rules/source/jsonSource';
import type { RuleFault, RuleFile } from '../../rules/source/ruleSource';
import { faultOf } from './fileFault';

/** Limits for reading the files of one org. */
export const readLimits = {
  /** All files together must fit into one stored document. */
  totalMaxBytes: 8 * 1_048_576,
  filesMax: 5000,
  /** Maximum number of passes over the disk. A pass is repeated when a file vanishes during it. */
  attemptsMax: 3,
} as const;

/** The files that could be read, sorted by path, and faults for those that could not. */
export interface FilesRead {
  files: RuleFile[];
  faults: RuleFault[];
}

/**
 * Reads the rule files of one org: the `.json` files directly in a program folder, and the `.csv` files beside them
 * with the rows of tables. Never throws: a file that cannot be read becomes a fault. Never opens a pipe or device.
 * @param folder absolute path of the folder with the program folders
 */
export async function readFiles(folder: string): Promise<FilesRead> {
  for (let attempt = 1; ; attempt += 1) {
    const read = new Reading(attempt >= readLimits.attemptsMax);
    await readPrograms(read, folder);
    if (!read.vanished) return { files: read.files.sort(byPath), faults: read.faults };
  }
}

/** The results of one pass over the disk so far. */
class Reading {
  readonly files: RuleFile[] = [];
  readonly faults: RuleFault[] = [];
  vanished = false;
  bytes = 0;

  constructor(private readonly isLast: boolean) {}

  fault(file: string, message: string): void {
    this.faults.push(faultOf(file, message));
  }

  /** Adds a fault. When a listed path has vanished, requests another pass instead, except in the last pass. */
  failed(file: string, error: unknown): void {
    const code = codeOf(error);
    if (code === 'ENOENT' && !this.isLast) this.vanished = true;
    else this.fault(file, `cannot be read: ${reasons[code] ?? code}`);
  }
}

const reasons: Record<string, string> = {
  EACCES: 'the service has no right to read it',
  EPERM: 'the service has no right to read it',
  ELOOP: 'its symbolic links lead in a circle',
  ENOENT: 'it was removed meanwhile, or is a link to nothing',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is not a folder',
};

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}

async function readPrograms(read: Reading, folder: string): Promise<void> {
  for (const entry of await listFolder(read, folder, '.')) {
    // `@` folders belong to other orgs. Files such as README.md and rule.schema.json are beside the program folders.
    if (/^[.@]/.test(entry.name) || entry.isFile()) continue;
    if (!hasFitName(read, entry, entry.name)) continue;
    const program = path.join(folder, entry.name);
    if (!entry.isDirectory() && !(await leadsToFolder(read, program, entry.name))) continue;
    await readProgram(read, program, entry.name);
  }
}

/** The entries of a folder, sorted by name. Empty when the folder does not exist. */
async function listFolder(read: Reading, folder: string, name: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') read.failed(name, error);
    return [];
  }
}

/** Whether a link leads to a folder. Some file systems give no type for an entry; this also resolves those. */
async function leadsToFolder(read: Reading, target: string, name: string): Promise<boolean> {
  try {
    return (await stat(target)).isDirectory();
  } catch (error) {
    read.failed(name, error);
    return false;
  }
}

async function readProgram(read: Reading, folder: string, name: string): Promise<void> {
  const entries = (await listFolder(read, folder, name)).filter(
    ({ name: own }) => /\.(?:json|csv)$/.test(own) && !own.startsWith('.'),
  );
  // A folder without rule files has no tables, so its CSV files are ignored.
  if (!entries.some((entry) => entry.name.endsWith('.json'))) return;
  for (const entry of entries) {
    const file = path.posix.join(name, entry.name);
    if (!hasFitName(read, entry, file)) continue;
    try {
      await readOne(read, path.join(folder, entry.name), file);
    } catch (error) {
      read.failed(file, error);
    }
    if (read.files.length + read.faults.length >= readLimits.filesMax) {
      read.fault(name, `there are more than ${readLimits.filesMax} rule files; put several rules into one file`);
      return;
    }
  }
}

/** Control characters would garble lists of names. A name that is not UTF-8 contains U+FFFD and cannot be opened. */
const unfitName = /[\p{Cc}\uFFFD]/u;

function hasFitName(read: Reading, entry: Dirent, file: string): boolean {
  const isFit = !unfitName.test(entry.name);
  if (!isFit) read.fault(shownName(file), 'has a name that is not UTF-8 or holds control characters; rename it');
  return isFit;
}

function shownName(file: string): string {
  return file.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

async function readOne(read: Reading, target: string, file: string): Promise<void> {
  const { size, isFile } = await statOf(target);
  // Opening a pipe or a device could wait forever.
  if (!isFile)
    return read.fault(
      file,
      `is not a file; only ${file.endsWith('.csv') ? 'tables end in .csv' : 'rule files end in .json'}`,
    );
  if (size > fileMaxBytes) return read.fault(file, tooLarge(size));
  if (read.bytes + size > readLimits.totalMaxBytes) return read.fault(file, 'all rule files together are above 8 MB');
  const bytes = await readFile(target);
  if (bytes.length > fileMaxBytes) return read.fault(file, tooLarge(bytes.length));
  const text = decode(bytes);
  if (text === undefined) return read.fault(file, isUtf16(bytes) ? 'is UTF-16; save it as UTF-8' : 'is not UTF-8 text');
  read.bytes += bytes.length;
  read.files.push({ path: file, text });
}

async function statOf(target: string): Promise<{ size: number; isFile: boolean }> {
  const found = await stat(target);
  return { size: found.size, isFile: found.isFile() };
}

function tooLarge(size: number): string {
  return `is too large: ${(size / 1_048_576).toFixed(1)} MB, at most 1 MB`;
}

/** Detects UTF-16 by its byte order mark, or by a zero byte: one of the first two bytes of JSON in UTF-16 is zero. */
function isUtf16(bytes: Buffer): boolean {
  const [first, second] = bytes;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || (first === 0) !== (second === 0);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string | undefined {
  // UTF-16 without a mark may be valid UTF-8 with zero bytes. JSON has no zero bytes.
  if (bytes.includes(0)) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function byPath(a: RuleFile, b: RuleFile): number {
  return a.path < b.path ? -1 : 1;
}
