import { mongo } from 'mongoose';
import { takeTurns } from '#base/common/turns';

/** What is read of a cursor of the driver. */
interface Cursor<T> {
  next(): Promise<T | null>;
  readBufferedDocuments(count?: number): NonNullable<T>[];
}

/**
 * Reads all records of a cursor, in turns with other work. The cursor's own `toArray` converts a whole batch from BSON in
 * one turn of the event loop, which takes hundreds of milliseconds when its records are wide.
 * @param max reads at most so many
 */
export async function readInTurns<T>(cursor: Cursor<T>, max = Number.POSITIVE_INFINITY): Promise<T[]> {
  let turn = takeTurns();
  const records: T[] = [];
  while (records.length < max) {
    const [buffered] = cursor.readBufferedDocuments(1);
    const record = buffered ?? (await cursor.next());
    if (record === null) break;
    records.push(record);
    // While it waited for the store, others had their turns.
    if (buffered === undefined) turn = takeTurns();
    const others = turn();
    if (others) await others;
  }
  return records;
}

/** Reads the records of a cursor one by one, in turns with other work. A loop over the cursor itself would take a whole batch in one turn. */
export async function* eachInTurns<T>(cursor: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const turn = takeTurns();
  for await (const record of cursor) {
    yield record;
    const others = turn();
    if (others) await others;
  }
}

const toArrayAtOnce = mongo.AbstractCursor.prototype.toArray;

async function toArrayInTurns(this: mongo.AbstractCursor<unknown>): Promise<unknown[]> {
  // What the driver converts with `map` it converts in its own way; nobody here does.
  return Reflect.get(this, 'transform') === undefined ? readInTurns(this) : toArrayAtOnce.call(this);
}

/**
 * Lets `toArray` of every cursor read in turns. So nobody who reads records has to know how wide they are
 * (docs/decisions/0133).
 */
export function readEveryCursorInTurns(): void {
  mongo.AbstractCursor.prototype.toArray = toArrayInTurns;
}
