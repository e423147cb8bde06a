import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** The size of a file in bytes, and the SHA-256 of all of it. */
export interface FileHash {
  bytes: number;
  sha256: string;
}

/** Writes pieces into a new gzipped file that only its user can read. It is on the disk when it resolves. */
export async function writeGzipped(file: string, pieces: () => AsyncIterable<Uint8Array | string>): Promise<FileHash> {
  const hash = createHash('sha256');
  let bytes = 0;
  const measured = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(pieces, createGzip(), measured, createWriteStream(file, { mode: 0o600 }));
  await syncFile(file);
  return { bytes, sha256: hash.digest('hex') };
}

/** Reads all of a file. @throws the error of the file system */
export async function hashFile(file: string): Promise<FileHash> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file)) {
    bytes += chunk.length;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Writes a text file that only its user can read. It is on the disk when it resolves. */
export async function writeSynced(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  await syncFile(file);
}

/** Waits until a file is on the disk. */
async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
