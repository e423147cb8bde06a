import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';

/**
 * Extracts the first file with this name, from any folder of a zip archive, into a directory. Returns its path; rejects
 * when the archive has no such file.
 */
export async function extractMember(archive: string, name: string, directory: string): Promise<string> {
  const zip = await openPromise(archive, { lazyEntries: true });
  try {
    for await (const entry of zip.eachEntry()) {
      if (path.posix.basename(entry.fileName) !== name || entry.fileName.endsWith('/')) continue;
      const target = path.join(directory, name);
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target, { mode: 0o755 }));
      return target;
    }
  } finally {
    zip.close();
  }
  throw new Error(`${path.basename(archive)} holds no ${name}`);
}
