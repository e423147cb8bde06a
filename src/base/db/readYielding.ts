import { mongo } from 'mongoose';
import { startYielding } from '#base/common/yielding';

/** What is read of a cursor of the driver. */
interface Cursor<T> {
  /** Nothing is left to read. */
  readonly closed: boolean;
  next(): Promise<T | null>;
  bufferedCount(): number;
  readBufferedDocuments(count?: number): NonNullable<T>[];
}

/** A reply of the store of fewer bytes is converted at once: it takes about 3 ms, less than a turn. */
const narrowBytes = 65_536;

/**
 * Reads all records of a cursor, in turns with other work. The cursor's own `toArray` converts a whole batch from BSON in
 * one turn of the event loop, which takes hundreds of milliseconds when its records are wide.
 * @param max reads at most so many
 */
export async function readYielding<T>(cursor: Cursor<T>, max = Number.POSITIVE_INFINITY): Promise<T[]> {
  const records: T[] = [];
  // A cursor that the store has ended is not asked again.
  while (records.length < max && !cursor.closed) {
    const record = await cursor.next();
    if (record === null) break;
    records.push(record);
    const buffered = Math.min(cursor.bufferedCount(), max - records.length);
    if (buffered === 0) continue;
    if (replyBytes(cursor) < narrowBytes) {
      for (const each of cursor.readBufferedDocuments(buffered)) records.push(each);
    } else await convertInTurns(cursor, buffered, records);
  }
  return records;
}

/** Converts records that a cursor has received. While it waited for the store, others had their turns. */
async function convertInTurns<T>(cursor: Cursor<T>, count: number, records: T[]): Promise<void> {
  const turn = startYielding();
  for (let left = count; left > 0; left -= 1) {
    const others = turn();
    if (others) await others;
    records.push(...cursor.readBufferedDocuments(1));
  }
}

/** The bytes of the reply that a cursor holds, by a field that the driver does not document; without it, reads take turns. */
function replyBytes(cursor: object): number {
  const reply: unknown = Reflect.get(cursor, 'documents');
  const bytes: unknown = typeof reply === 'object' && reply !== null ? Reflect.get(reply, 'bson') : undefined;
  return bytes instanceof Uint8Array ? bytes.byteLength : Number.POSITIVE_INFINITY;
}

/** Reads the records of a cursor one by one, in turns with other work. A loop over the cursor itself would take a whole batch in one turn. */
export async function* eachYielding<T>(cursor: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const turn = startYielding();
  for await (const record of cursor) {
    yield record;
    const others = turn();
    if (others) await others;
  }
}

const toArrayAtOnce = mongo.AbstractCursor.prototype.toArray;

async function toArrayInTurns(this: mongo.AbstractCursor<unknown>): Promise<unknown[]> {
  // What the driver converts with `map` it converts in its own way; nobody here does.
  return Reflect.get(this, 'transform') === undefined ? readYielding(this) : toArrayAtOnce.call(this);
}

/**
 * Lets `toArray` of every cursor read in turns. So nobody who reads records has to know how wide they are
 * (docs/decisions/0133).
 */
export function readEveryCursorYielding(): void {
  mongo.AbstractCursor.prototype.toArray = toArrayInTurns;
}
