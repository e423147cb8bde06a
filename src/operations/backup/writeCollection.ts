import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Connection } from 'mongoose';
import type { SnapshotOptions } from '#base/db/inSnapshot';
import type { SavedCollection } from './manifest';

/** What is written of a collection. */
export interface WriteInput {
  name: string;
  filter: Record<string, unknown>;
  folder: string;
  /** Called with the number of documents written so far. */
  onProgress(documents: number): void;
}

const batchSize = 1000;
const progressEvery = 10_000;

/**
 * Writes a collection, as a snapshot shows it, into a gzipped file of BSON documents. It holds one batch in memory at a
 * time. The file is on the disk when it resolves.
 */
export async function writeCollection(
  db: Connection,
  at: SnapshotOptions,
  { name, filter, folder, onProgress }: WriteInput,
): Promise<SavedCollection> {
  const file = `${name}.bson.gz`;
  const target = path.join(folder, file);
  const cursor = db
    .getClient()
    .db(db.name)
    .collection(name)
    .find(filter, { ...at, raw: true, batchSize });
  let documents = 0;
  const raw = async function* () {
    for await (const document of cursor) {
      documents += 1;
      if (documents % progressEvery === 0) onProgress(documents);
      yield document as unknown as Uint8Array;
    }
  };
  const hash = createHash('sha256');
  let bytes = 0;
  const measured = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(raw, createGzip(), measured, createWriteStream(target, { mode: 0o600 }));
  await syncFile(target);
  return { name, file, documents, bytes, sha256: hash.digest('hex') };
}

/** Waits until a file is on the disk. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
