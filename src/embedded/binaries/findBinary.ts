import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { OnProgress } from '../../common/progressTo';
import { StartError } from '../../common/startError';
import { messageOf } from '../../common/systemError';
import type { BinaryKind } from './binaryKind';
import type { DownloadSource } from './downloadSource';
import { findOnPath, isExecutable } from './findOnPath';

/** Where to look for a server program. */
export interface BinarySearch {
  /** The configured file: when given, nothing else is looked at. */
  explicit?: string | undefined;
  /** Directories separated as in the environment variable PATH. */
  path: string;
  cacheDir: string;
  onProgress: OnProgress;
}

const VERSION_LIMIT_MS = 20_000;
const STAGE_PREFIX = 'download-';
const STAGE_MAX_AGE_MS = 3_600_000;

/**
 * Gives the file of a server program that runs here: the configured one, else on PATH, in the cache, or downloaded into the cache.
 * @throws StartError naming everything that was tried
 */
export async function findBinary(kind: BinaryKind, search: BinarySearch): Promise<string> {
  if (search.explicit !== undefined) return requireExplicit(kind, search.explicit);
  const cached = path.join(search.cacheDir, kind.name);
  const tried: string[] = [];
  const candidates = [
    { where: 'on PATH', file: findOnPath(kind.name, search.path) },
    { where: `in the cache (${search.cacheDir})`, file: isExecutable(cached) ? cached : undefined },
  ];
  for (const { where, file } of candidates) {
    const fault = file === undefined ? 'not there' : await faultOf(kind, file);
    if (file !== undefined && fault === undefined) return file;
    tried.push(`${where}: ${fault}`);
  }
  for (const source of kind.sources) {
    const fault = await download(kind, source, search, cached);
    if (fault === undefined) return cached;
    tried.push(`${source.name}: ${fault}`);
  }
  throw new StartError(`no usable ${kind.name}. Tried: ${tried.join('; ')}. What to do: ${kind.remedy}`);
}

async function requireExplicit(kind: BinaryKind, file: string): Promise<string> {
  const fault = await faultOf(kind, file);
  if (fault === undefined) return file;
  throw new StartError(`the configured ${kind.name} ${file} cannot be used: ${fault}`);
}

/** Gives why a file is not a usable program of that kind, undefined when it is. */
async function faultOf(kind: BinaryKind, file: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: VERSION_LIMIT_MS });
    const [, major, minor] = kind.versionPattern.exec(stdout) ?? [];
    if (major === undefined) return `${file} is no ${kind.name}`;
    const [minimumMajor, minimumMinor] = kind.minimum;
    const isOldMinor = Number(major) === minimumMajor && Number(minor) < minimumMinor;
    const isOld = Number(major) < minimumMajor || isOldMinor;
    return isOld ? `${file} is version ${major}.${minor}, needed is ${minimumMajor}.${minimumMinor}` : undefined;
  } catch (error) {
    return `${file} does not run (${failureText(error)})`;
  }
}

/** Downloads, tests and only then moves the program into the cache, so that concurrent starts never see half of one. */
async function download(
  kind: BinaryKind,
  source: DownloadSource,
  search: BinarySearch,
  target: string,
): Promise<string | undefined> {
  let stageDir: string | undefined;
  try {
    mkdirSync(search.cacheDir, { recursive: true });
    removeOldStages(search.cacheDir);
    stageDir = mkdtempSync(path.join(search.cacheDir, STAGE_PREFIX));
    const { platform, arch } = process;
    const file = await source.fetch({ stageDir, path: search.path, platform, arch, onProgress: search.onProgress });
    chmodSync(file, 0o755);
    const fault = await faultOf(kind, file);
    if (fault !== undefined) return fault;
    renameSync(file, target);
    search.onProgress(`${kind.name} is now in ${search.cacheDir}`);
    return undefined;
  } catch (error) {
    return failureText(error);
  } finally {
    if (stageDir !== undefined) rmSync(stageDir, { recursive: true, force: true });
  }
}

/** What a start that was killed in the middle of a download left behind. */
function removeOldStages(cacheDir: string): void {
  for (const name of readdirSync(cacheDir).filter((entry) => entry.startsWith(STAGE_PREFIX))) {
    const stage = path.join(cacheDir, name);
    const stat = statSync(stage, { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs > STAGE_MAX_AGE_MS) rmSync(stage, { recursive: true, force: true });
  }
}

function failureText(error: unknown): string {
  const lines = messageOf(error)
    .split('\n')
    .filter((line) => line.trim() !== '');
  // execFile says which command failed in its first line; what the loader or the program said comes last.
  return (lines.at(-1) ?? 'it failed silently').trim();
}
