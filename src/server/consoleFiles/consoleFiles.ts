import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file of the console as `console/build.mjs` made it: plain, and compressed when that makes it smaller. */
export interface ConsoleFile {
  type: string;
  plain: Buffer;
  gzip?: Buffer;
  br?: Buffer;
}

/** What was built of the console. */
export interface ConsoleFiles {
  /** The page, with {@link nonceMark} and {@link settingsMark} where a request has its own values. */
  page: string;
  /** Returns a file of the folder `assets`. Its name has a hash of its content. */
  asset(name: string): ConsoleFile | undefined;
}

/** Stands in the page for the nonce of a request. */
export const nonceMark = '__NONCE__';

/** Stands in the page for the settings that the console needs before a user has signed in. */
export const settingsMark = '__SETTINGS__';

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Reads the built console; undefined when it was not built. Files are read once, at their first request. */
export function readConsoleFiles(folder = builtFolder()): ConsoleFiles | undefined {
  const page = readWhenThere(path.join(folder, 'index.html'))?.toString('utf8');
  if (page === undefined) return undefined;
  const names = new Set(readdirSync(path.join(folder, 'assets')));
  const read = new Map<string, ConsoleFile>();
  return {
    page,
    asset(name) {
      const type = types[path.extname(name)];
      // Only names that the folder had at the start: the path of a request never becomes a path of a file.
      if (!type || !names.has(name)) return undefined;
      const known = read.get(name);
      if (known) return known;
      const made = readForms(path.join(folder, 'assets', name), type);
      read.set(name, made);
      return made;
    },
  };
}

function readForms(file: string, type: string): ConsoleFile {
  const gzip = readWhenThere(`${file}.gz`);
  const br = readWhenThere(`${file}.br`);
  return { type, plain: readFileSync(file), ...(gzip ? { gzip } : {}), ...(br ? { br } : {}) };
}

function readWhenThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The folder of the built console: dist/console, also when the sources run that are beside dist. */
function builtFolder(): string {
  const root = path.resolve(__dirname, '../../..');
  return path.join(path.basename(root) === 'dist' ? root : path.join(root, 'dist'), 'console');
}
