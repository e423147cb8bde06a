import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { OnProgress } from '../../common/progressTo';
import { StartError } from '../../common/startError';
import { messageOf } from '../../common/systemError';
import type { DownloadSource } from './downloadSources';

/** A server program that we need: how to recognise its version, and where to get it. */
export interface BinaryKind {
  name: 'mongod' | 'redis-server';
  /** Matches the major and minor version in the output of `--version`. */
  versionPattern: RegExp;
  /** The oldest version that works. */
  minimum: readonly [major: number, minor: number];
  /** Where to download it. The sources are tried in this order. */
  sources: readonly DownloadSource[];
  /** What a person can do when no program is found. */
  remedy: string;
}

/** Where to look for a server program. */
export interface BinarySearch {
  /** The configured file. When it is given, no other place is searched. */
  explicit?: string | undefined;
  /** Directories, separated as in the environment variable PATH. */
  path: string;
  cacheDir: string;
  onProgress: OnProgress;
}

/**
 * Returns the path of a server program that runs here: the configured one, else one on PATH, else one in the cache,
 * else one that it downloads into the cache.
 * @throws StartError that names everything that was tried
 */
export async function findBinary(kind: BinaryKind, search: BinarySearch): Promise<string> {
  const { name, sources, remedy } = kind;
  const { explicit, cacheDir } = search;
  const places = explicit
    ? { configured: explicit }
    : { 'on PATH': onPath(name, search.path), [`in the cache (${cacheDir})`]: path.join(cacheDir, name) };
  const tried: string[] = [];
  for (const [place, file] of Object.entries(places)) {
    const fault = faultOf(kind, file);
    if (fault === undefined) return file;
    if (explicit) throw new StartError(`the configured ${name} ${explicit} cannot be used: ${fault}`);
    tried.push(`${place}: ${fault}`);
  }
  for (const source of sources) {
    try {
      return await download(kind, source, search);
    } catch (error) {
      tried.push(`${source.name}: ${lastLine(error)}`);
    }
  }
  throw new StartError(`no usable ${name}. Tried: ${tried.join('; ')}. What to do: ${remedy}`);
}

/** Relative directories are skipped: what is there depends on where the service was started. */
function onPath(name: string, searchPath: string): string {
  const directories = searchPath.split(path.delimiter).filter((directory) => path.isAbsolute(directory));
  return directories.map((directory) => path.join(directory, name)).find((file) => existsSync(file)) ?? '';
}

/** Returns why a file is not a usable program of that kind; undefined when it is usable. */
function faultOf({ name, versionPattern, minimum }: BinaryKind, file: string): string | undefined {
  if (!existsSync(file)) return 'not there';
  try {
    const output = execFileSync(file, ['--version'], { timeout: 20_000, encoding: 'utf8', stdio: 'pipe' });
    const version = versionPattern.exec(output)?.slice(1).map(Number);
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
async function download(kind: BinaryKind, source: DownloadSource, search: BinarySearch): Promise<string> {
  const { cacheDir, onProgress } = search;
  mkdirSync(cacheDir, { recursive: true });
  const stageDir = mkdtempSync(path.join(cacheDir, 'download-'));
  const removeStage = () => rmSync(stageDir, { recursive: true, force: true });
  process.once('exit', removeStage); // for Ctrl-C
  onProgress(`downloading ${kind.name} (${source.name})`);
  try {
    await source.fetch({ path: search.path, stageDir });
    const names = readdirSync(stageDir, { recursive: true, encoding: 'utf8' });
    const found = names.find((name) => path.basename(name) === kind.name);
    if (found === undefined) throw new Error(`it has no ${kind.name}`);
    const file = path.join(stageDir, found);
    chmodSync(file, 0o755);
    const fault = faultOf(kind, file);
    if (fault !== undefined) throw new Error(fault);
    const cached = path.join(cacheDir, kind.name);
    renameSync(file, cached);
    onProgress(`${kind.name} is now in ${cacheDir}`);
    return cached;
  } finally {
    removeStage();
  }
}

/**
 * Returns the last line of an error. The first line of an execFileSync error only names the command that failed; the
 * message of the loader or the program comes last.
 */
function lastLine(error: unknown): string {
  return messageOf(error).trim().split('\n').at(-1)?.trim() || 'it failed silently';
}
