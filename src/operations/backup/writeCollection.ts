import path from 'node:path';
import type { Connection } from 'mongoose';
import type { SnapshotOptions } from '#base/db/inSnapshot';
import { writeGzipped } from './hashedFile';
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
  const hash = await writeGzipped(path.join(folder, file), raw);
  return { name, file, documents, ...hash };
}
