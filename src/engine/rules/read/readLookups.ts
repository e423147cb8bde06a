import { createHash } from 'node:crypto';
import { type LookupDeclaration, lookupLimits, lookupName } from '../lookup/lookupShape';
import { type CellValue, type LookupColumn, type LookupKey, LookupTable, lookupKey } from '../lookup/lookupTable';
import { didYouMean } from '../source/nearest';
import { pause } from '../source/pause';
import type { LookupEntry } from './lookupEntries';
import { columnKind, typedCell } from './tables/columnKind';
import type { CsvCell, CsvSource } from './tables/csvSource';
import type { TableContext, TableRoom } from './tables/expandTable';

/** The CSV files, and the room that lookup tables have left. */
type Given = Pick<TableContext, 'files' | 'room'>;

/** Number of rows to read between two pauses. */
const rowsAtOnce = 5000;

/**
 * Reads the declared lookup tables of a program from their CSV files.
 * @returns the tables without a fault, by name
 */
export async function readLookups(entries: readonly LookupEntry[], given: Given): Promise<Map<string, LookupTable>> {
  const tables = new Map<string, LookupTable>();
  const seen = new Set<string>();
  for (const entry of entries) {
    const { source, at, declared } = entry;
    const { lookupTable: name } = declared;
    if (seen.has(name)) source.error([...at, 'lookupTable'], `the lookup table "${name}" is declared twice`);
    seen.add(name);
    const table = await readLookup(entry, given);
    if (table) tables.set(name, table);
  }
  return tables;
}

async function readLookup(
  { source, at, declared }: LookupEntry,
  { files, room }: Given,
): Promise<LookupTable | undefined> {
  const file = files.get(declared.csv);
  if (!file) {
    const message = `there is no file "${declared.csv}" beside this one${didYouMean(declared.csv, files.keys())}`;
    source.error([...at, 'csv'], message);
    return undefined;
  }
  file.isUsed = true;
  const before = [source.faultCount, file.faults.count];
  const isFine = () => before[0] === source.faultCount && before[1] === file.faults.count;
  const [header, ...rows] = file.rows;
  if (file.faults.count > 0 || !header || !isFitHeader(file, header, rows.length)) return undefined;
  checkNames({ source, at, declared }, header);
  takeRoom({ source, at, declared }, rows.length * header.length, room);
  if (!isFine()) return undefined;
  await checkWidths(file, header.length, rows);
  const columns = await columnsOf(file, header, rows, declared);
  if (!isFine()) return undefined;
  const keys = declared.keys.flatMap((name) => columns.filter((column) => column.name === name));
  // Sorted, so that moving a column does not change the hash.
  const values = columns.filter(({ name }) => !declared.keys.includes(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const cells = [...keys, ...values].map((column) => column.cells);
  await checkKeys(file, keys, rows);
  if (!isFine()) return undefined;
  const shape = { keys: keys.map(columnOf), values: values.map(columnOf), rows: rows.length };
  return LookupTable.of({ ...shape, cells, hash: await hashOf([shape.keys, shape.values], cells) }, pause);
}

function isFitHeader(file: CsvSource, header: readonly CsvCell[], rows: number): boolean {
  const before = file.faults.count;
  const seen = new Set<string>();
  for (const { text, offset } of header) {
    if (seen.has(text)) file.error(offset, `the column "${text}" stands here twice`);
    else if (!lookupName.test(text)) file.error(offset, nameFault(text));
    seen.add(text);
  }
  if (rows === 0) file.error(0, 'the first line names the columns, and at least one row stands below it');
  const { rows: rowsMax, keys, values } = lookupLimits;
  if (rows > rowsMax) file.error(0, `holds ${rows} rows; a lookup table has at most ${rowsMax}`);
  if (header.length > keys + values) file.error(0, `has ${header.length} columns, at most ${keys + values}`);
  return file.faults.count === before;
}

function nameFault(text: string): string {
  const hint = text.includes(';') ? '; cells stand apart with commas' : '';
  return `"${text}" cannot be the name of a column: it begins with a letter and has only letters, digits, _ and -${hint}`;
}

function checkNames({ source, at, declared }: LookupEntry, header: readonly CsvCell[]): void {
  const known = header.map(({ text }) => text);
  const unknown = (name: string) => `"${declared.csv}" has no column "${name}"${didYouMean(name, known)}`;
  for (const [index, name] of declared.keys.entries()) {
    if (!known.includes(name)) source.error([...at, 'keys', index], unknown(name));
  }
  for (const name of Object.keys(declared.types ?? {})) {
    if (!known.includes(name)) source.keyError([...at, 'types', name], unknown(name));
  }
  if (known.every((name) => declared.keys.includes(name))) {
    source.error([...at, 'keys'], `"${declared.csv}" has no other columns; a lookup needs one with values`);
  }
}

/** Takes room for the cells of a table before they are read: many tables may take their rows from one file. */
function takeRoom({ source, at }: LookupEntry, cells: number, room: TableRoom): void {
  if (cells <= room.cells) room.cells -= cells;
  else {
    const [these, most] = [cells, lookupLimits.cells].map((each) => each.toLocaleString('en-US'));
    source.error([...at, 'csv'], `with these ${these} cells, lookup tables come to more than ${most} cells`);
  }
}

async function checkWidths(file: CsvSource, width: number, rows: readonly (readonly CsvCell[])[]): Promise<void> {
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtOnce === 0) await pause();
    const start = row[0]?.offset ?? 0;
    if (row.length < width) file.error(start, `this line has ${row.length} cells; the first has ${width}`);
    const more = row[width];
    if (more) file.error(more.offset, `this line has more cells than the first, which has ${width}`);
  }
}

interface ReadColumn extends LookupColumn {
  cells: CellValue[];
}

async function columnsOf(
  file: CsvSource,
  header: readonly CsvCell[],
  rows: readonly (readonly CsvCell[])[],
  { keys, types = {} }: LookupDeclaration,
): Promise<ReadColumn[]> {
  const columns: ReadColumn[] = [];
  for (const [at, { text: name }] of header.entries()) {
    await pause();
    const column = rows.flatMap((row) => row[at] ?? []);
    const kind = types[name] ?? (keys.includes(name) ? 'text' : columnKind(file, column));
    await pause();
    columns.push({ name, kind, cells: column.map((cell) => typedCell(file, cell, kind)) });
  }
  return columns;
}

/** Reports keys that are empty, and those that an earlier row has. */
async function checkKeys(
  file: CsvSource,
  keys: readonly ReadColumn[],
  rows: readonly (readonly CsvCell[])[],
): Promise<void> {
  const seen = new Map<LookupKey, number>();
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtOnce === 0) await pause();
    const start = row[0]?.offset ?? 0;
    const values = keys.map(({ cells }) => cells[index]);
    const key = lookupKey(keys, values);
    if (key === undefined) {
      const empty = keys[values.indexOf(null)]?.name ?? '';
      file.error(start, `this row has no "${empty}", which is a key`);
      continue;
    }
    const twin = seen.get(key);
    if (twin === undefined) seen.set(key, start);
    else file.error(start, `the row at line ${file.placeOf(twin).line} has the same keys: ${values.join(', ')}`);
  }
}

function columnOf({ name, kind }: ReadColumn): LookupColumn {
  return { name, kind };
}

/** Number of cells to hash at once. */
const cellsAtOnce = 20_000;

async function hashOf(shape: unknown, cells: readonly (readonly CellValue[])[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(shape));
  for (const column of cells) {
    for (let at = 0; at < column.length; at += cellsAtOnce) {
      await pause();
      hash.update(JSON.stringify(column.slice(at, at + cellsAtOnce)));
    }
  }
  return hash.digest('hex');
}
