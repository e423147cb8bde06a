import { isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { unguarded } from '../../common/csvCell';
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
 * Opens a CSV file (RFC 4180, UTF-8) row by row. The delimiter is a comma, or a semicolon when the header has no comma.
 * With `isHeaderOnly` nothing after the header is read, so the source may end anywhere after it.
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
  const parser = parse({
    // Each byte becomes a character, so that a fault of the encoding is found in its row and fails no other.
    encoding: 'latin1',
    ...{ delimiter: delimiterOf(first.value), info: true, relax_column_count: true, skip_empty_lines: true },
    max_record_size: importLimits.rowMaxBytes,
    ...(isHeaderOnly ? { to: 1 } : {}),
  });
  pipeline(Readable.from(joined(first.value, parts)), parser, () => undefined);
  const records = read(parser);
  const header = await records.next();
  if (header.done) throw new FileFault('the file is empty');
  const columns = header.value.record.map((cell) => decoded(cell)?.trim().normalize('NFC'));
  if (columns.some((name) => name === undefined)) throw new FileFault('line 1: the header is not valid UTF-8');
  const known = columns.flatMap((name) => name ?? []);
  return { columns: known, rows: rowsOf(records, known.length, readCells) };
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

async function* rowsOf(
  records: AsyncGenerator<Parsed, void, undefined>,
  width: number,
  readCells: (cells: readonly string[]) => Pick<FileRow, 'value' | 'faults'>,
): AsyncGenerator<FileRow, void, undefined> {
  for await (const { record, info } of records) {
    const breaks = record.reduce((count, cell) => count + lineBreaks(cell), 0);
    const place = { line: info.lines - breaks, end: info.bytes };
    const cells = record.map(decoded);
    const known = cells.map((cell) => unguarded(cell ?? ''));
    const kept = known.join('').length <= importLimits.keptRowMaxBytes ? { cells: known } : undefined;
    if (cells.includes(undefined)) yield { ...place, kept, faults: fault('encoding', 'is not valid UTF-8') };
    else if (record.length !== width) {
      yield { ...place, kept, faults: fault('columns', `has ${record.length} cells, and the header has ${width}`) };
    } else yield { ...place, kept, ...readCells(known.map((cell) => cell.trim())) };
  }
}

function lineBreaks(cell: string): number {
  return cell.includes('\n') ? cell.split('\n').length - 1 : 0;
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

function delimiterOf(part: Buffer): string {
  const end = part.indexOf('\n');
  const header = part.toString('latin1', 0, end === -1 ? part.length : end);
  return !header.includes(',') && header.includes(';') ? ';' : ',';
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
