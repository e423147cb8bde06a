import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { OnProgress } from '#base/common/progressTo';
import { StartError } from '#base/common/startError';
import { errorMessage } from '#base/common/systemError';
import type { Server } from '../servers';
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

/**
 * Returns the path of a server program that runs here: the configured one, else one on PATH, else one in the cache,
 * else one that it downloads into the cache. Last comes another program that an earlier version has cached.
 * @throws StartError that names everything that was tried
 */
export async function findBinary(server: Server, search: BinarySearch): Promise<string> {
  const { name, remedy } = server;
  if (search.explicit) return requireUsable(server, search.explicit);
  const tried: string[] = [];
  for (const { place, find } of searchPlaces(server, search)) {
    try {
      const file = await find();
      const fault = binaryFault(server, file);
      if (fault === undefined) return file;
      tried.push(`${place}: ${fault}`);
    } catch (error) {
      tried.push(`${place}: ${lastLine(error)}`);
    }
  }
  throw new StartError(`no usable ${name}. Tried: ${tried.join('; ')}. What to do: ${remedy}`);
}

function requireUsable(server: Server, file: string): string {
  const fault = binaryFault(server, file);
  if (fault === undefined) return file;
  throw new StartError(`the configured ${server.name} ${file} cannot be used: ${fault}`);
}

/** Where a program may be, in the order of the search. */
interface Place {
  place: string;
  find(): string | Promise<string>;
}

function searchPlaces(server: Server, search: BinarySearch): Place[] {
  const { programs, sources } = server;
  const [best, ...others] = programs;
  const of = (program: string) => (programs.length === 1 ? '' : `${program} `);
  const inCache = (program: string): Place => ({
    place: `${of(program)}in the cache (${search.cacheDir})`,
    find: () => path.join(search.cacheDir, program),
  });
  return [
    ...programs.map((program) => ({ place: `${of(program)}on PATH`, find: () => onPath(program, search.path) })),
    inCache(best),
    ...sources.map((source) => ({ place: source.name, find: () => download(server, source, search) })),
    ...others.map(inCache),
  ];
}

/** Relative directories are skipped: what is there depends on where the service was started. */
function onPath(name: string, searchPath: string): string {
  const directories = searchPath.split(path.delimiter).filter((directory) => path.isAbsolute(directory));
  return directories.map((directory) => path.join(directory, name)).find((file) => existsSync(file)) ?? '';
}

/** Returns why a file is not a usable program of that server; undefined when it is usable. */
function binaryFault({ name, versionPattern, minimum }: Server, file: string): string | undefined {
  if (!existsSync(file)) return 'not there';
  try {
    const output = execFileSync(file, ['--version'], { timeout: 20_000, encoding: 'utf8', stdio: 'pipe' });
    const version = versionPattern.exec(output)?.[1];
    if (!version) return `${file} is no ${name}`;
    const isOld = version.localeCompare(minimum, 'en', { numeric: true }) < 0;
    return isOld ? `${file} is version ${version}, needed is ${minimum}` : undefined;
  } catch (error) {
    return `${file} does not run (${lastLine(error)})`;
  }
}

/**
 * Downloads and tests the program, and only then moves it into the cache. So starts that run at the same time never see
 * an incomplete file.
 */
async function download(server: Server, source: DownloadSource, search: BinarySearch): Promise<string> {
  const [name] = server.programs;
  const { cacheDir, onProgress } = search;
  mkdirSync(cacheDir, { recursive: true });
  const stageDir = mkdtempSync(path.join(cacheDir, 'download-'));
  const removeStage = () => rmSync(stageDir, { recursive: true, force: true });
  process.once('exit', removeStage); // for Ctrl-C
  onProgress(`downloading ${name} (${source.name})`);
  try {
    await source.fetch({ path: search.path, stageDir });
    const files = readdirSync(stageDir, { recursive: true, encoding: 'utf8' });
    const found = files.find((file) => path.basename(file) === name);
    if (found === undefined) throw new Error(`it has no ${name}`);
    const file = path.join(stageDir, found);
    chmodSync(file, 0o755);
    const fault = binaryFault(server, file);
    if (fault !== undefined) throw new Error(fault);
    const cached = path.join(cacheDir, name);
    renameSync(file, cached);
    onProgress(`${name} is now in ${cacheDir}`);
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
  return errorMessage(error).trim().split('\n').at(-1)?.trim() || 'it failed silently';
}
