import { realpathSync } from 'node:fs';
import path from 'node:path';
import { watch } from 'chokidar';

/** Time in ms without changes before the listener is called: editors and deployments write in several steps. */
export const quietMs = 200;

/** A running watch over a folder. */
export interface FileWatch {
  close(): Promise<void>;
}

/** Receives the events of a watch. */
export interface WatchListener {
  /** Called with all changed paths, after {@link quietMs} without a change. */
  changed(paths: ReadonlySet<string>): void;
  failed(error: unknown): void;
}

/**
 * Watches a folder and the two levels below it (`@<org>/<program>/`). The folder may not exist yet. What a link outside
 * of it leads to is not watched, for it is not read either.
 */
export async function watchFiles(folder: string, listener: WatchListener): Promise<FileWatch> {
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    const paths = changed;
    changed = new Set();
    listener.changed(paths);
  };
  const watcher = watch(folder, { depth: 2, ignoreInitial: true, ignored: (file) => leavesFolder(folder, file) });
  watcher.on('error', (error) => listener.failed(error));
  watcher.on('all', (_event, file) => {
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(tell, quietMs);
  });
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  return {
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

function leavesFolder(folder: string, file: string): boolean {
  const root = realPathIfExists(folder);
  const real = realPathIfExists(file);
  if (root === undefined || real === undefined) return false;
  return path.relative(root, real).split(path.sep)[0] === '..';
}

/** The path without links; undefined when nothing is there. */
function realPathIfExists(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
