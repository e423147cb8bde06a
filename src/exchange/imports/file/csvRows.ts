import { isUtf8 } from 'node:buffer';
import { unguardedFormula } from '#base/common/cells/csvCell';
import { csvDialect } from '#base/common/cells/csvDialect';
import { type Message, message } from '#base/common/messages/message';
import { importLimits } from '../importLimits';
import { type CsvRecord, csvRecords, isBlank } from './csvRecords';
import { FileFault } from './fileFault';
import { filePieces } from './filePieces';
import type { FileRow } from './fileRow';

/** A CSV file that is being read: its header, and the rows after it. */
export interface CsvFile {
  columns: string[];
  rows: AsyncIterable<FileRow>;
}

/**
 * Opens a CSV file (RFC 4180, UTF-8) row by row. Rows without a value in any cell are none, and columns at the end
 * without a name are passed over. Nothing after the header is read until `rows` is iterated, so the source may end
 * anywhere after it.
 * @param readCells makes the fields of a row from its cells
 * @throws FileFault when there is no header, or the file is not CSV; later also from `rows`
 */
export async function openCsv(
  source: AsyncIterable<Buffer>,
  readCells: (cells: readonly string[]) => Pick<FileRow, 'value' | 'faults'>,
): Promise<CsvFile> {
  const parts = withoutMark(source)[Symbol.asyncIterator]();
  const first = await parts.next();
  if (first.done) throw new FileFault(message('imports.noRows'));
  const beginning = first.value.toString('latin1');
  const { delimiter, start } = csvDialect(beginning);
  const pieces = filePieces(joined(first.value.subarray(start), parts));
  const records = csvRecords(pieces, delimiter, { line: 1 + lineBreaks(beginning, start), end: start });
  const header = await records.next();
  if (header.done) throw new FileFault(message('imports.noRows'));
  const { cells, line } = header.value;
  const width = lastFilled(cells) + 1;
  // Of a header with too many columns it is enough to know that.
  const columns = cells.slice(0, Math.min(width, importLimits.columnsMax + 1)).map((cell) => {
    const name = decoded(cell)?.trim().normalize('NFC');
    if (name === undefined) throw new FileFault(message('imports.headerNotUtf8', { line }));
    return name;
  });
  return { columns, rows: numberRows(records, { width, written: cells.length }, readCells) };
}

/** How many columns a header has: up to the last one with a name, and in all. */
interface Widths {
  width: number;
  written: number;
}

async function* numberRows(
  records: AsyncIterable<CsvRecord>,
  widths: Widths,
  readCells: (cells: readonly string[]) => Pick<FileRow, 'value' | 'faults'>,
): AsyncGenerator<FileRow, void, undefined> {
  for await (const { cells: record, line, end } of records) {
    const place = { line, end };
    const misplaced = misplacedIn(record, widths);
    const used = record.slice(0, Math.max(widths.width, lastFilled(record) + 1));
    // No more cells are looked at than a file may have columns, so that a row of separators takes no time.
    if (misplaced && used.length > importLimits.columnsMax) yield { ...place, kept: undefined, faults: misplaced };
    else {
      const cells = used.map(decoded);
      const known = cells.map((cell) => withNewlines(cell ?? ''));
      const fits = known.join('').length <= importLimits.keptRowMaxBytes;
      const kept = fits ? { cells: known.map(unguardedFormula) } : undefined;
      if (cells.includes(undefined)) yield { ...place, kept, faults: fault('encoding', message('http.notUtf8')) };
      else if (misplaced) yield { ...place, kept, faults: misplaced };
      else yield { ...place, kept, ...readCells(known) };
    }
  }
}

/** Why the cells of a row do not fit the columns. */
function misplacedIn(record: readonly string[], { width, written }: Widths): FileRow['faults'] {
  const last = lastFilled(record);
  if (record.length < width || last >= written) {
    return fault('columns', message('imports.cellCount', { count: record.length, expected: written }));
  }
  if (last < width) return undefined;
  return fault('columns', message('imports.valueInUnnamedColumn', { column: last + 1 }));
}

function lastFilled(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => !isBlank(cell));
}

/** A line break within a cell becomes a newline, whatever ends the lines of the file. */
function withNewlines(cell: string): string {
  return cell.includes('\r') ? cell.replace(/\r\n?/g, '\n') : cell;
}

/** The number of line ends before an offset. */
function lineBreaks(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; at += 1) {
    if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) count += 1;
  }
  return count;
}

function fault(kind: string, what: Message) {
  return [{ path: '', kind, ...what }];
}

const beyondAscii = /[\u0080-\u00FF]/;

/** The text of a cell whose bytes are characters; undefined when they are not valid UTF-8. */
function decoded(cell: string): string | undefined {
  if (!beyondAscii.test(cell)) return cell;
  const bytes = Buffer.from(cell, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

async function* joined(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

const mark = Buffer.from('\uFEFF');

/**
 * Leaves out the byte order mark at the beginning of a file.
 * @throws FileFault when the mark is that of UTF-16
 */
export async function* withoutMark(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let isFirst = true;
  for await (const part of source) {
    if (isFirst && /^(?:fffe|feff)/.test(part.toString('hex', 0, 2))) {
      throw new FileFault(message('imports.utf16'));
    }
    yield isFirst && part.subarray(0, mark.length).equals(mark) ? part.subarray(mark.length) : part;
    isFirst = false;
  }
}
