import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { type Author, derivedId, newStamps } from '#base/db/records';
import { GuardFailed, isDuplicateKey } from '#base/db/transaction';
import type { RuleDefinition } from '#engine/rules/format/rule';
import { type CellValue, LookupTable, type LookupTables } from '#engine/rules/lookup/lookupTable';
import { type LookupTablePart, lookupTableResource, rowsOfPart } from './lookupTableResource';

/** The content hashes of the lookup tables that rules read. */
export function lookupHashes(rules: readonly Pick<RuleDefinition, 'lookupTables'>[]): string[] {
  return [...new Set(rules.flatMap(({ lookupTables = {} }) => Object.values(lookupTables)))].sort();
}

/** When and by whom tables are stored, and how long they stay unless they are published. */
interface StoreAt {
  db: Connection;
  author: Author;
  now: Date;
  keptUntil: Date;
}

/** Stores the tables that are not stored yet. Others stay as they are, at least until `keptUntil`. */
export async function storeLookupTables({ db, author, now, keptUntil }: StoreAt, tables: LookupTables): Promise<void> {
  const stored = collectionOf(db, lookupTableResource);
  for (const [hash, table] of tables) {
    for (let part = 0; part < partCount(table); part += 1) {
      const _id = partId(author.org, hash, part);
      // A published part has no end and gets none.
      const waiting = { _id, org: author.org, keptUntil: { $exists: true } };
      const { matchedCount } = await stored.updateOne(waiting, { $max: { keptUntil } });
      if (matchedCount > 0 || (await stored.countDocuments({ _id, org: author.org }, { limit: 1 })) > 0) continue;
      await insertPart(db, { ...newStamps(author, now, _id), ...tablePart(table, part), keptUntil });
    }
  }
}

async function insertPart(db: Connection, part: LookupTablePart): Promise<void> {
  try {
    await collectionOf(db, lookupTableResource).insertOne(part);
  } catch (error) {
    // Another process stored the same part in the meantime.
    if (!isDuplicateKey(error)) throw error;
  }
}

function partCount({ contents }: LookupTable): number {
  return Math.ceil(contents.rows / rowsOfPart);
}

function partId(org: ObjectId, hash: string, part: number): ObjectId {
  return derivedId('lookupTable', org, hash, part);
}

function tablePart(table: LookupTable, part: number) {
  const { hash, keys, values, rows, cells } = table.contents;
  const [from, to] = [part * rowsOfPart, Math.min(rows, (part + 1) * rowsOfPart)];
  return {
    hash,
    part,
    parts: partCount(table),
    rows: to - from,
    keys: [...keys],
    values: [...values],
    cells: cells.map((column) => column.slice(from, to)),
  };
}

/**
 * Keeps stored tables forever, within the transaction that publishes rules that read them.
 * @throws GuardFailed when a table is not stored
 */
export async function keepLookupTables(
  db: Connection,
  session: ClientSession,
  org: ObjectId,
  hashes: readonly string[],
): Promise<void> {
  const stored = collectionOf(db, lookupTableResource);
  for (const hash of hashes) {
    const first = await stored.findOne({ _id: partId(org, hash, 0), org }, { session, projection: { parts: 1 } });
    const { matchedCount } = await stored.updateMany({ org, hash }, { $unset: { keptUntil: '' } }, { session });
    if (!first || matchedCount !== first.parts) throw new GuardFailed('a lookup table is not stored any more');
  }
}

/** Reads the tables with these content hashes. All of them must be stored. */
export async function loadLookupTables(
  db: Connection,
  org: ObjectId,
  hashes: readonly string[],
): Promise<LookupTables> {
  const tables = new Map<string, LookupTable>();
  for (const hash of hashes) tables.set(hash, await loadLookupTable(db, org, hash));
  return tables;
}

/** Reads one table. Its parts come one at a time, so that each is decoded in a few milliseconds. */
export async function loadLookupTable(db: Connection, org: ObjectId, hash: string): Promise<LookupTable> {
  const cursor = collectionOf(db, lookupTableResource).find({ org, hash }, { batchSize: 1 }).sort({ part: 1 });
  const cells: CellValue[][] = [];
  let last: LookupTablePart | undefined;
  let rows = 0;
  for await (const part of cursor) {
    for (const [at, some] of part.cells.entries()) {
      const column = cells[at] ?? [];
      cells[at] = column;
      for (const cell of some) column.push(cell);
    }
    rows += part.rows;
    last = part;
  }
  assert(last && last.part + 1 === last.parts, `lookup table ${hash} is stored`);
  return LookupTable.of({ hash, keys: last.keys, values: last.values, rows, cells }, () => new Promise(setImmediate));
}
