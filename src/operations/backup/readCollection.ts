import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { type Document, deserialize } from 'bson';
import { hashFile } from './hashedFile';
import { BackupError, type SavedCollection } from './manifest';

/**
 * Checks that the file of a collection is the one that the manifest means, byte by byte.
 * @throws BackupError when it is missing, shorter or changed
 */
export async function verifyFile(folder: string, { file, bytes, sha256 }: SavedCollection): Promise<void> {
  const found = await hashFile(path.join(folder, file)).catch(() => {
    throw new BackupError(`${file} of the backup cannot be read`);
  });
  if (found.bytes === bytes && found.sha256 === sha256) return;
  throw new BackupError(`${file} of the backup is damaged: its content is not that of the manifest`);
}

/** No document of MongoDB is larger, in bytes. Some room is for what the server adds. */
const documentMaxBytes = 16_793_600;

/** Types of numbers are kept, so that what is stored again is what was stored. */
const asStored = {
  promoteValues: false,
  promoteBuffers: false,
  bsonRegExp: true,
  validation: { utf8: false },
} as const;

/** Reads the documents of a collection from its file, one after the other. */
export async function* readDocuments(folder: string, { file }: SavedCollection): AsyncGenerator<Document> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path.join(folder, file)).pipe(createGunzip())) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let from = 0;
    while (pending.length - from >= 4) {
      const size = pending.readInt32LE(from);
      if (size < 5 || size > documentMaxBytes) throw new BackupError(`${file} of the backup holds no BSON documents`);
      if (pending.length - from < size) break;
      yield deserialize(pending.subarray(from, from + size), asStored);
      from += size;
    }
    pending = pending.subarray(from);
  }
  if (pending.length > 0) throw new BackupError(`${file} of the backup ends within a document`);
}
