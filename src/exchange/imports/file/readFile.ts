import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { FileFault } from './fileFault';
import { importChunkResource } from './importFiles';
import { chunkId, type FileOfOrg } from './receiveFile';

/**
 * Reads a stored file part by part.
 * @throws FileFault when a part is gone
 */
export async function* readFile(
  { db }: Pick<Infrastructure, 'db'>,
  { _id, org }: FileOfOrg,
  chunks: number,
): AsyncGenerator<Buffer, void, undefined> {
  for (let n = 0; n < chunks; n += 1) {
    const found = await collectionOf(db, importChunkResource).findOne({ _id: chunkId(_id, n), org });
    if (!found) throw new FileFault(message('imports.fileGone'));
    yield Buffer.from(found.data.buffer);
  }
}
