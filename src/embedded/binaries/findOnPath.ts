import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** Returns the first executable file with that name in the directories of a PATH. It skips relative directories. */
export function findOnPath(name: string, searchPath: string): string | undefined {
  const directories = searchPath.split(path.delimiter).filter((directory) => path.isAbsolute(directory));
  return directories.map((directory) => path.join(directory, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
