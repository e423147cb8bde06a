import { createHash } from 'node:crypto';
import { FileFault } from '../file/fileFault';
import type { FileRow } from '../file/fileRow';
import { importLimits } from '../importLimits';

/** The row of a file with the earlier rows of its key. */
export type KeyedRow = FileRow & {
  /** The key that an earlier row has too, and the line of the latest such row. */
  repeats?: { key: string; line: number };
  /** The fields of the earlier rows with its key, when they are kept. */
  earlier?: readonly Record<string, unknown>[];
};

/**
 * Marks the rows whose key an earlier row of the file has. It remembers some of the latest keys by hashes, so that a
 * file of any size needs little memory.
 * @param kept the keys with rows to keep as `earlier`
 */
export async function* markRepeated(
  rows: AsyncIterable<FileRow>,
  keyField: string,
  kept: ReadonlySet<string> = new Set(),
): AsyncGenerator<KeyedRow, void, undefined> {
  const seen = latestLines();
  const keptRows = createKeptRows();
  for await (const row of rows) {
    const key = rowKey(row, keyField);
    const line = key === undefined ? undefined : seen(key, row.line);
    if (key === undefined || !row.value) yield row;
    else {
      const earlier = kept.has(key) ? keptRows(key, row.value) : [];
      yield {
        ...row,
        ...(line === undefined ? {} : { repeats: { key, line } }),
        ...(earlier.length > 0 ? { earlier } : {}),
      };
    }
  }
}

/** The keys that several rows of a file have, as many as are kept. Of a file that cannot be read to its end, those before. */
export async function repeatedKeys(rows: AsyncIterable<FileRow>, keyField: string): Promise<Set<string>> {
  const found = new Set<string>();
  try {
    for await (const { repeats } of markRepeated(rows, keyField)) {
      if (repeats) found.add(repeats.key);
      if (found.size >= importLimits.keptRepeated) break;
    }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
  }
  return found;
}

function rowKey({ value }: FileRow, keyField: string): string | undefined {
  const key = value?.[keyField];
  return typeof key === 'string' && key !== '' ? key.normalize('NFC') : undefined;
}

/** Makes a memory of lines by keys: of the latest keys, in two generations of which the older one is forgotten. */
function latestLines(): (key: string, line: number) => number | undefined {
  let [young, old] = [new Map<number, number>(), new Map<number, number>()];
  return (key, line) => {
    const hash = hashKey(key);
    const before = young.get(hash) ?? old.get(hash);
    if (young.size >= importLimits.keysRemembered) [young, old] = [new Map(), young];
    young.set(hash, line);
    return before;
  };
}

/** The first 53 bits of a hash: as many as a number holds. */
function hashKey(key: string): number {
  const bytes = createHash('sha1').update(key).digest();
  return bytes.readUIntBE(0, 6) * 32 + (bytes.readUInt8(6) % 32);
}

/** Makes a memory of rows by keys. What is the same as the row before changes nothing and is not kept again. */
function createKeptRows(): (key: string, value: Record<string, unknown>) => readonly Record<string, unknown>[] {
  const byKey = new Map<string, readonly Record<string, unknown>[]>();
  let left: number = importLimits.keptRepeated;
  return (key, value) => {
    const earlier = byKey.get(key) ?? [];
    const isNew = JSON.stringify(earlier.at(-1)) !== JSON.stringify(value);
    if (isNew && left > 0 && earlier.length < importLimits.keptOfKey) {
      byKey.set(key, [...earlier, value]);
      left -= 1;
    }
    return earlier;
  };
}
