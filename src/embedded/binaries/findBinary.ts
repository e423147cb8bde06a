import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { OnProgress } from '../../common/progressTo';
import { StartError } from '../../common/startError';
import { messageOf } from '../../common/systemError';
import type { BinaryKind } from './binaryKind';
import type { DownloadSource } from './downloadSources';

/** Where to look for a server program. */
export interface BinarySearch {
  /** The configured file. When it is given, no other place is searched. */
  explicit?: string | undefined;
  /** Directories, separated as in the environment variable PATH. */
  path: string;
  cacheDir: string;
  onProgress: OnProgress;
}

const STAGE_PREFIX = 'download-';
const STAGE_MAX_AGE_MS = 3_600_000;

/**
 * Returns the path of a server program that runs here: the configured one, else one on PATH, else one in the cache,
 * else one that it downloads into the cache.
 * @throws StartError that names everything that was tried
 */
export async function findBinary(kind: BinaryKind, search: BinarySearch): Promise<string> {
  const { explicit, cacheDir } = search;
  const cached = path.join(cacheDir, kind.name);
  const places = explicit
    ? { configured: explicit }
    : {
        'on PATH': onPath(kind.name, search.path),
        [`in the cache (${cacheDir})`]: existsSync(cached) ? cached : undefined,
      };
  const tried: string[] = [];
  for (const [where, file] of Object.entries(places)) {
    const fault = file === undefined ? 'not there' : await faultOf(kind, file);
    if (file !== undefined && fault === undefined) return file;
    if (explicit) throw new StartError(`the configured ${kind.name} ${explicit} cannot be used: ${fault}`);
    tried.push(`${where}: ${fault}`);
  }
  for (const source of kind.sources) {
    try {
      return await download(kind, source, search);
    } catch (error) {
      tried.push(`${source.name}: ${lastLine(error)}`);
    }
  }
  throw new StartError(`no usable ${kind.name}. Tried: ${tried.join('; ')}. What to do: ${kind.remedy}`);
}

/** Relative directories are skipped: what is there depends on where the service was started. */
function onPath(name: string, searchPath: string): string | undefined {
  const directories = searchPath.split(path.delimiter).filter((directory) => path.isAbsolute(directory));
  return directories.map((directory) => path.join(directory, name)).find((file) => existsSync(file));
}

/** Returns why a file is not a usable program of that kind; undefined when it is usable. */
async function faultOf({ name, versionPattern, minimum }: BinaryKind, file: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 20_000 });
    const version = versionPattern.exec(stdout)?.slice(1).map(Number);
    if (!version) return `${file} is no ${name}`;
    const [major = 0, minor = 0] = version;
    const isOld = major < minimum[0] || (major === minimum[0] && minor < minimum[1]);
    return isOld ? `${file} is version ${version.join('.')}, needed is ${minimum.join('.')}` : undefined;
  } catch (error) {
    return `${file} does not run (${lastLine(error)})`;
  }
}

/**
 * Downloads and tests the program, and only then moves it into the cache. So starts that run at the same time never see
 * an incomplete file.
 */
async function download(
  kind: BinaryKind,
  source: DownloadSource,
  { cacheDir, ...search }: BinarySearch,
): Promise<string> {
  mkdirSync(cacheDir, { recursive: true });
  removeOldStages(cacheDir);
  const stageDir = mkdtempSync(path.join(cacheDir, STAGE_PREFIX));
  search.onProgress(`downloading ${kind.name} (${source.name})`);
  try {
    const file = await source.fetch({ ...search, stageDir });
    chmodSync(file, 0o755);
    const fault = await faultOf(kind, file);
    if (fault !== undefined) throw new Error(fault);
    const cached = path.join(cacheDir, kind.name);
    renameSync(file, cached);
    search.onProgress(`${kind.name} is now in ${cacheDir}`);
    return cached;
  } finally {
    rmSync(stageDir, { recursive: true, force: true });
  }
}

/** Removes what starts that were killed during a download left behind. */
function removeOldStages(cacheDir: string): void {
  for (const name of readdirSync(cacheDir).filter((entry) => entry.startsWith(STAGE_PREFIX))) {
    const stage = path.join(cacheDir, name);
    const { mtimeMs = Date.now() } = statSync(stage, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > STAGE_MAX_AGE_MS) rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * Returns the last line of an error. The first line of an execFile error only names the command that failed; the
 * message of the loader or the program comes last.
 */
function lastLine(error: unknown): string {
  return messageOf(error).trim().split('\n').at(-1)?.trim() || 'it failed silently';
}
