import { isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { unguarded } from '../../common/cells/csvCell';
import { csvDialect } from '../../common/cells/csvDialect';
import { importLimits } from '../importLimits';
import { FileFault } from './fileFault';
import type { FileRow } from './fileRow';

/** A CSV file that is being read: its header, and the rows after it. */
export interface CsvFile {
  columns: string[];
  rows: AsyncIterable<FileRow>;
}

interface Parsed {
  record: string[];
  info: Info;
}

/**
 * Opens a CSV file (RFC 4180, UTF-8) row by row. Rows without a value in any cell are none, and columns at the end without
 * a name are passed over. With `isHeaderOnly` nothing after the header is read, so the source may end anywhere after it.
 * @param readCells makes the fields of a row from its cells
 * @throws FileFault when there is no header, or the file is not CSV; later also from `rows`
 */
export async function openCsv(
  source: AsyncIterable<Buffer>,
  readCells: (cells: readonly string[]) => Pick<FileRow, 'value' | 'faults'>,
  { isHeaderOnly = false } = {},
): Promise<CsvFile> {
  const parts = withoutMark(source)[Symbol.asyncIterator]();
  const first = await parts.next();
  if (first.done) throw new FileFault('the file is empty');
  const beginning = first.value.toString('latin1');
  const { delimiter, start } = csvDialect(beginning);
  const parser = parse({
    // Each byte becomes a character, so that a fault of the encoding is found in its row and fails no other.
    encoding: 'latin1',
    delimiter,
    info: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: importLimits.rowMaxBytes,
    ...(isHeaderOnly ? { to: 1 } : {}),
  });
  pipeline(Readable.from(joined(first.value.subarray(start), parts)), parser, () => undefined);
  const records = read(parser);
  const header = await records.next();
  if (header.done) throw new FileFault('the file is empty');
  const names = header.value.record.map((cell) => decoded(cell)?.trim().normalize('NFC'));
  if (names.some((name) => name === undefined)) throw new FileFault('line 1: the header is not valid UTF-8');
  const written = names.flatMap((name) => name ?? []);
  const columns = written.slice(0, written.findLastIndex((name) => name !== '') + 1);
  const line = 1 + lineBreaks(beginning.slice(0, start)) + linesOf(header.value.record);
  return { columns, rows: rowsOf(records, { line, start, width: columns.length, written: written.length }, readCells) };
}

async function* read(parser: AsyncIterable<Parsed>): AsyncGenerator<Parsed, void, undefined> {
  try {
    yield* parser;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = 'lines' in error && typeof error.lines === 'number' ? `line ${error.lines}: ` : '';
    throw new FileFault(`${line}${wordsOf(error)}`);
  }
}

function wordsOf({ code }: CsvError): string {
  if (code === 'CSV_MAX_RECORD_SIZE') return 'a row has more than 1 MB; perhaps a quote is not closed';
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is not closed';
  return 'a quote stands within a cell; double it, and quote the cell';
}

/** Where the rows of a file begin, and how many columns its header has: with a name, and in all. */
interface Place {
  line: number;
  start: number;
  width: number;
  written: number;
}

async function* rowsOf(
  records: AsyncGenerator<Parsed, void, undefined>,
  { start, width, written, ...from }: Place,
  readCells: (cells: readonly string[]) => Pick<FileRow, 'value' | 'faults'>,
): AsyncGenerator<FileRow, void, undefined> {
  let { line } = from;
  for await (const { record, info } of records) {
    const place = { line, end: start + info.bytes };
    line += linesOf(record);
    if (record.every(isBlank)) continue;
    const cells = record.map(decoded);
    const known = cells.map((cell) => unguarded(withNewlines(cell ?? '')));
    const kept = known.join('').length <= importLimits.keptRowMaxBytes ? { cells: known } : undefined;
    const misplaced = record.findLastIndex((cell) => !isBlank(cell));
    if (cells.includes(undefined)) yield { ...place, kept, faults: fault('encoding', 'is not valid UTF-8') };
    else if (record.length < width || misplaced >= written) {
      yield { ...place, kept, faults: fault('columns', `has ${record.length} cells, and the header has ${written}`) };
    } else if (misplaced >= width) {
      yield { ...place, kept, faults: fault('columns', `has a value in column ${misplaced + 1}, which has no name`) };
    } else yield { ...place, kept, ...readCells(known.map((cell) => cell.trim())) };
  }
}

/** A line break within a text is a newline, whatever ends the lines of the file. */
function withNewlines(cell: string): string {
  return cell.includes('\r') ? cell.replace(/\r\n?/g, '\n') : cell;
}

function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

/** How many lines a row takes. */
function linesOf(record: readonly string[]): number {
  return record.reduce((count, cell) => count + lineBreaks(cell), 1);
}

function lineBreaks(text: string): number {
  return /[\r\n]/.test(text) ? text.split(/\r\n|\n|\r/).length - 1 : 0;
}

function fault(kind: string, message: string) {
  return [{ path: '', kind, message }];
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
      throw new FileFault('the file is UTF-16; save it as UTF-8');
    }
    yield isFirst && part.subarray(0, mark.length).equals(mark) ? part.subarray(mark.length) : part;
    isFirst = false;
  }
}
