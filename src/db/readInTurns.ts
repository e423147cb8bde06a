import { takeTurns } from '../common/turns';

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
  const turn = takeTurns();
  const records: T[] = [];
  while (records.length < max) {
    const [record = await cursor.next()] = cursor.readBufferedDocuments(1);
    if (record === null) break;
    records.push(record);
    const others = turn();
    if (others) await others;
  }
  return records;
}
