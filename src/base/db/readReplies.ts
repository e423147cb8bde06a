import assert from 'node:assert';
import { deserialize, type Long } from 'bson';
import type { Connection, mongo } from 'mongoose';
import type { SnapshotOptions } from './inSnapshot';

/** What a read asks of a collection, as the `find` command takes it. */
interface Find {
  filter: mongo.Document;
  projection: mongo.Document;
  sort?: mongo.Document;
}

/** The most records of a reply. Narrow ones are converted in about 10 ms. */
const repliedMax = 4000;

/**
 * Reads all records that match, as a snapshot shows them, and converts each reply of the store at once. The driver's
 * cursors take several times as long, and let others have their turn. So this is for work that nobody waits for and
 * that reads very many narrow records. The driver does not repeat such a read when its connection breaks.
 */
export async function readReplies<T>(
  db: Connection,
  at: SnapshotOptions,
  collection: string,
  find: Find,
): Promise<T[]> {
  let { id, documents } = await reply<T>(db, at, { find: collection, ...find, batchSize: repliedMax });
  const records = documents;
  while (!id.isZero()) {
    ({ id, documents } = await reply<T>(db, at, { getMore: id, collection, batchSize: repliedMax }));
    for (const document of documents) records.push(document);
  }
  return records;
}

/** The reply as bytes: of the cursor, and of each document in it. */
interface RawCursor {
  id: Long;
  firstBatch?: Uint8Array[];
  nextBatch?: Uint8Array[];
}

async function reply<T>(db: Connection, { session }: SnapshotOptions, command: mongo.Document) {
  assert(db.db, 'a read has an open connection');
  // The session gives the command its read concern.
  const { cursor } = await db.db.command(command, { session, raw: true });
  const { id, firstBatch, nextBatch = [] } = deserialize(cursor, { raw: true, promoteLongs: false }) as RawCursor;
  return { id, documents: (firstBatch ?? nextBatch).map((document) => deserialize(document) as T) };
}
