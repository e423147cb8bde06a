import { createHash } from 'node:crypto';
import { joinMessages, type Message, message } from '#base/common/messages/message';
import { yieldNow } from '#base/common/yielding';
import { type LookupDeclaration, lookupLimits, lookupName } from '../lookup/lookupShape';
import { type CellValue, type LookupColumn, type LookupKey, LookupTable, lookupKey } from '../lookup/lookupTable';
import { didYouMean } from '../source/nearest';
import type { LookupEntry } from './lookupEntries';
import { columnKind, typedCell } from './tables/columnKind';
import type { CsvCell, CsvSource } from './tables/csvSource';
import type { TableCapacity, TableContext } from './tables/expandTable';

/** The CSV files, and how much the lookup tables may still take. */
type LookupContext = Pick<TableContext, 'files' | 'capacity'>;

/** Number of rows to read between two pauses. */
const rowsAtOnce = 5000;

/**
 * Reads the declared lookup tables of a program from their CSV files.
 * @returns the tables without a fault, by name
 */
export async function readLookups(
  entries: readonly LookupEntry[],
  context: LookupContext,
): Promise<Map<string, LookupTable>> {
  const tables = new Map<string, LookupTable>();
  const seen = new Set<string>();
  for (const entry of entries) {
    const { source, at, declared } = entry;
    const { lookupTable: name } = declared;
    if (seen.has(name)) source.error([...at, 'lookupTable'], message('ruleFiles.lookupTwice', { name }));
    seen.add(name);
    const table = await readLookup(entry, context);
    if (table) tables.set(name, table);
  }
  return tables;
}

async function readLookup(
  { source, at, declared }: LookupEntry,
  { files, capacity }: LookupContext,
): Promise<LookupTable | undefined> {
  const file = files.get(declared.csv);
  if (!file) {
    const { csv } = declared;
    source.error([...at, 'csv'], didYouMean(message('ruleFiles.noSuchFile', { csv }), csv, files.keys()));
    return undefined;
  }
  file.isUsed = true;
  const before = [source.faultCount, file.faults.count];
  const isFine = () => before[0] === source.faultCount && before[1] === file.faults.count;
  const [header, ...rows] = file.rows;
  if (file.faults.count > 0 || !header || !isFitHeader(file, header, rows.length)) return undefined;
  checkNames({ source, at, declared }, header);
  takeCapacity({ source, at, declared }, rows.length * header.length, capacity);
  if (!isFine()) return undefined;
  await checkWidths(file, header.length, rows);
  const columns = await readColumns(file, header, rows, declared);
  if (!isFine()) return undefined;
  const keys = declared.keys.flatMap((name) => columns.filter((column) => column.name === name));
  // Sorted, so that moving a column does not change the hash.
  const values = columns.filter(({ name }) => !declared.keys.includes(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const cells = [...keys, ...values].map((column) => column.cells);
  await checkKeys(file, keys, rows);
  if (!isFine()) return undefined;
  const shape = { keys: keys.map(lookupColumn), values: values.map(lookupColumn), rows: rows.length };
  return LookupTable.of({ ...shape, cells, hash: await hashTable([shape.keys, shape.values], cells) }, yieldNow);
}

function isFitHeader(file: CsvSource, header: readonly CsvCell[], rows: number): boolean {
  const before = file.faults.count;
  const seen = new Set<string>();
  for (const { text, offset } of header) {
    if (seen.has(text)) file.error(offset, message('ruleFiles.columnTwice', { text }));
    else if (!lookupName.test(text)) file.error(offset, nameFault(text));
    seen.add(text);
  }
  if (rows === 0) file.error(0, message('ruleFiles.headerAndRow'));
  const { rows: rowsMax, keys, values } = lookupLimits;
  if (rows > rowsMax) file.error(0, message('ruleFiles.tooManyLookupRows', { rows, max: rowsMax }));
  if (header.length > keys + values)
    file.error(0, message('ruleFiles.tooManyColumns', { count: header.length, max: keys + values }));
  return file.faults.count === before;
}

function nameFault(text: string): Message {
  const fault = message('ruleFiles.noColumnName', { text });
  return text.includes(';') ? joinMessages('semicolon', [fault, message('ruleFiles.commasBetween')]) : fault;
}

function checkNames({ source, at, declared }: LookupEntry, header: readonly CsvCell[]): void {
  const known = header.map(({ text }) => text);
  const unknown = (name: string) =>
    didYouMean(message('ruleFiles.noColumnInFile', { csv: declared.csv, name }), name, known);
  for (const [index, name] of declared.keys.entries()) {
    if (!known.includes(name)) source.error([...at, 'keys', index], unknown(name));
  }
  for (const name of Object.keys(declared.types ?? {})) {
    if (!known.includes(name)) source.keyError([...at, 'types', name], unknown(name));
  }
  if (known.every((name) => declared.keys.includes(name))) {
    source.error([...at, 'keys'], message('ruleFiles.noValueColumn', { csv: declared.csv }));
  }
}

/** Takes capacity for the cells of a table before they are read: many tables may take their rows from one file. */
function takeCapacity({ source, at }: LookupEntry, cells: number, capacity: TableCapacity): void {
  if (cells <= capacity.cells) capacity.cells -= cells;
  else {
    const [count = '', max = ''] = [cells, lookupLimits.cells].map((each) => each.toLocaleString('en-US'));
    source.error([...at, 'csv'], message('ruleFiles.tooManyLookupCells', { count, max }));
  }
}

async function checkWidths(file: CsvSource, width: number, rows: readonly (readonly CsvCell[])[]): Promise<void> {
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtOnce === 0) await yieldNow();
    const start = row[0]?.offset ?? 0;
    if (row.length < width) file.error(start, message('ruleFiles.cellCount', { count: row.length, width }));
    const more = row[width];
    if (more) file.error(more.offset, message('ruleFiles.tooManyCells', { width }));
  }
}

interface ReadColumn extends LookupColumn {
  cells: CellValue[];
}

async function readColumns(
  file: CsvSource,
  header: readonly CsvCell[],
  rows: readonly (readonly CsvCell[])[],
  { keys, types = {} }: LookupDeclaration,
): Promise<ReadColumn[]> {
  const columns: ReadColumn[] = [];
  for (const [at, { text: name }] of header.entries()) {
    await yieldNow();
    const column = rows.flatMap((row) => row[at] ?? []);
    const kind = types[name] ?? (keys.includes(name) ? 'text' : columnKind(file, column));
    await yieldNow();
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
    if (index % rowsAtOnce === 0) await yieldNow();
    const start = row[0]?.offset ?? 0;
    const values = keys.map(({ cells }) => cells[index]);
    const key = lookupKey(keys, values);
    if (key === undefined) {
      const empty = keys[values.indexOf(null)]?.name ?? '';
      file.error(start, message('ruleFiles.emptyKey', { empty }));
      continue;
    }
    const twin = seen.get(key);
    if (twin === undefined) seen.set(key, start);
    else file.error(start, message('ruleFiles.sameKeys', { line: file.placeOf(twin).line, values: values.join(', ') }));
  }
}

function lookupColumn({ name, kind }: ReadColumn): LookupColumn {
  return { name, kind };
}

/** Number of cells to hash at once. */
const cellsAtOnce = 20_000;

async function hashTable(shape: unknown, cells: readonly (readonly CellValue[])[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(shape));
  for (const column of cells) {
    for (let at = 0; at < column.length; at += cellsAtOnce) {
      await yieldNow();
      hash.update(JSON.stringify(column.slice(at, at + cellsAtOnce)));
    }
  }
  return hash.digest('hex');
}
