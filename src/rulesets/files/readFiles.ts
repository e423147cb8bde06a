import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileMaxBytes } from '../../rules/source/jsonSource';
import type { RuleFault, RuleFile } from '../../rules/source/ruleSource';
import { faultOf } from './fileFault';

/** Bounds of what is read from disk for one org. */
export const readLimits = {
  /** Together they must fit into one stored document. */
  totalMaxBytes: 8 * 1_048_576,
  filesMax: 5000,
  /** A file that vanishes while it is read is looked for again this often. */
  attemptsMax: 3,
} as const;

/** What stands on disk: the files that could be read, sorted by path, and what could not. */
export interface FilesRead {
  files: RuleFile[];
  faults: RuleFault[];
}

/**
 * Reads the rule files of one org: `.json` files directly in a program folder, and the `.csv` files beside them, which
 * hold rows of tables. Never throws and never waits for what is no regular file; whatever cannot be read is a named fault.
 * @param folder absolute folder that holds the program folders
 */
export async function readFiles(folder: string): Promise<FilesRead> {
  for (let attempt = 1; ; attempt += 1) {
    const read = new Reading(attempt >= readLimits.attemptsMax);
    await readPrograms(read, folder);
    if (!read.vanished) return { files: read.files.sort(byPath), faults: read.faults };
  }
}

/** What one pass over the disk has found so far. */
class Reading {
  readonly files: RuleFile[] = [];
  readonly faults: RuleFault[] = [];
  vanished = false;
  bytes = 0;

  constructor(private readonly isLast: boolean) {}

  fault(file: string, message: string): void {
    this.faults.push(faultOf(file, message));
  }

  /** Names what failed; a path that vanished since it was listed is looked for again first. */
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
    // `@` folders belong to other orgs; README.md and rule.schema.json stand beside the program folders.
    if (/^[.@]/.test(entry.name) || entry.isFile()) continue;
    if (!hasFitName(read, entry, entry.name)) continue;
    const program = path.join(folder, entry.name);
    if (!entry.isDirectory() && !(await leadsToFolder(read, program, entry.name))) continue;
    await readProgram(read, program, entry.name);
  }
}

/** The entries of a folder by name; a folder that is not there has none. */
async function listFolder(read: Reading, folder: string, name: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') read.failed(name, error);
    return [];
  }
}

/** Tells whether a link (or what the file system gives no type for) leads to a folder. */
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
  // Without a rule file, no file is a table.
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

/** Such a name would garble every list that it stands in; what is not UTF-8 is shown as U+FFFD and cannot be opened. */
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
  // Opening a pipe or a device could wait for ever.
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

/** By its byte order mark, or by the zero byte that every second one of JSON is. */
function isUtf16(bytes: Buffer): boolean {
  const [first, second] = bytes;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || (first === 0) !== (second === 0);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string | undefined {
  // UTF-16 without a mark is UTF-8 too, with zero bytes, which no JSON has.
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
