import assert from 'node:assert';
import { CsvError, parse } from 'csv-parse/sync';
import { type CsvDialect, csvDialect } from '#base/common/cells/csvDialect';
import { type Message, message } from '#base/common/messages/message';
import { yieldNow } from '#base/common/yielding';
import { hasControlCharacters } from '#base/schema/textFaults';
import { FaultList } from '../../source/faultList';
import { fileMaxBytes } from '../../source/jsonSource';
import type { RuleFile, SourcePosition } from '../../source/ruleSource';
import { TextPositions } from '../../source/textPositions';

/** A cell of a CSV file: its text without surrounding spaces, and the offset where it begins. */
export interface CsvCell {
  text: string;
  offset: number;
}

/** The most that a CSV file may hold. */
interface CsvLimits {
  bytes: number;
  /** Cells, with those of empty lines. */
  cells: number;
}

/** Limits of a file with the rows of a rule: enough for 5,000 rows of 20 cells. */
const rowLimits: CsvLimits = { bytes: fileMaxBytes, cells: 100_000 };

/** Limits of a file with a lookup table: enough for 100,000 rows of 10 cells. */
export const lookupCsvLimits: CsvLimits = { bytes: 4 * fileMaxBytes, cells: 1_000_000 };

/** A CSV file (RFC 4180) with the position of each cell, and the faults found in it so far. */
export class CsvSource {
  readonly faults = new FaultList();
  /** The lines with a value in any cell, without cells at their end that have neither name nor value. No lines when the file cannot be parsed. */
  rows: readonly (readonly CsvCell[])[] = [];
  /** A table takes its rows from this file. */
  isUsed = false;
  private readonly text: string;
  private readonly places: TextPositions;
  private readonly dialect: CsvDialect;

  private constructor(readonly file: RuleFile) {
    // Names are compared in this form.
    this.text = file.text.replace(/^\uFEFF/, '').normalize('NFC');
    this.places = new TextPositions(file.path, this.text);
    this.dialect = csvDialect(this.text);
  }

  /** Reads a file. A large one is read in parts, so that other work continues. */
  static async read(file: RuleFile, limits: CsvLimits = rowLimits): Promise<CsvSource> {
    const source = new CsvSource(file);
    const rows = await source.rowsWithin(limits);
    if (source.faults.count === 0) source.rows = named(rows.slice(source.dialect.isNamed ? 1 : 0));
    return source;
  }

  error(offset: number, fault: Message): void {
    this.faults.error({ ...this.placeOf(offset), ...fault });
  }

  warning(offset: number, fault: Message): void {
    this.faults.warning({ ...this.placeOf(offset), ...fault });
  }

  placeOf(offset: number): SourcePosition {
    return this.places.at(offset);
  }

  private async rowsWithin(limits: CsvLimits): Promise<CsvCell[][]> {
    const fits = Buffer.byteLength(this.text) <= limits.bytes;
    const offsets = fits ? cellOffsets(this.text, this.dialect, limits.cells) : undefined;
    if (!offsets) {
      const size = `${limits.bytes / fileMaxBytes} MB`;
      this.error(0, message('ruleFiles.tableTooLarge', { size, cells: limits.cells }));
      return [];
    }
    const rows: CsvCell[][] = [];
    for (let line = 0; line < offsets.length && this.faults.count === 0; line += linesAtOnce) {
      if (line > 0) await yieldNow();
      const end = offsets[line + linesAtOnce]?.[0] ?? this.text.length;
      for (const row of this.parsed(offsets.slice(line, line + linesAtOnce), end)) rows.push(row);
    }
    return rows;
  }

  /** Parses some lines. `end` is the offset after the last of them. */
  private parsed(offsets: readonly (readonly number[])[], end: number): CsvCell[][] {
    const start = offsets[0]?.[0] ?? 0;
    try {
      const records: string[][] = parse(this.text.slice(start, end), { ...options, delimiter: this.dialect.delimiter });
      // The library does not count spaces after the last line as a line.
      assert(offsets.length - records.length <= 1, 'both ways of reading CSV find the same lines');
      for (const [row, record] of records.entries()) {
        for (const [column, cell] of record.entries()) {
          if (hasControlCharacters(cell.replaceAll('\r\n', '\n')))
            this.error(offsets[row]?.[column] ?? 0, unfitMessage);
        }
      }
      return records.map((record, row) =>
        record.map((cell, column) => ({ text: cell, offset: afterSpaces(this.text, offsets[row]?.[column] ?? 0) })),
      );
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      // A quote that never closes reaches to the end of the file, so its cell is the last one.
      const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
      const line = this.placeOf(start).line - 1 + Number(error.lines);
      const row = isOpen ? offsets.at(-1) : offsets.find(([first = 0]) => this.placeOf(first).line === line);
      this.error((isOpen ? row?.at(-1) : row?.[0]) ?? start, quoteFaults[error.code] ?? message('ruleFiles.notCsv'));
      return [];
    }
  }
}

/** Number of lines to parse between two pauses. The library takes 50 microseconds for one with more or fewer cells than the first. */
const linesAtOnce = 500;

const unfitMessage = message('ruleFiles.cellControlCharacter');

const options = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  trim: true,
};

const quoteFaults: Record<string, Message> = {
  CSV_QUOTE_NOT_CLOSED: message('ruleFiles.quoteNeverCloses'),
  CSV_INVALID_CLOSING_QUOTE: message('ruleFiles.quoteInQuotes'),
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: message('ruleFiles.textAfterQuote'),
  INVALID_OPENING_QUOTE: message('ruleFiles.quoteInCell'),
};

/** Leaves out lines without a value, and the cells beyond the last column with a name where they are empty. */
function named(lines: readonly (readonly CsvCell[])[]): readonly (readonly CsvCell[])[] {
  const rows = lines.filter((row) => lastFilled(row) !== -1);
  const width = lastFilled(rows[0] ?? []) + 1;
  return rows.map((row) => (row.length > width ? row.slice(0, Math.max(width, lastFilled(row) + 1)) : row));
}

function lastFilled(row: readonly CsvCell[]): number {
  return row.findLastIndex(({ text }) => text !== '');
}

function afterSpaces(text: string, offset: number): number {
  let start = offset;
  while (text[start] === ' ' || text[start] === '\t') start += 1;
  return start;
}

/**
 * The offset of each cell of each line; undefined when there are too many cells. Each quote switches between inside and
 * outside; an escaped quote is two quotes, so it switches twice.
 */
function cellOffsets(text: string, { delimiter }: CsvDialect, cellsMax: number): number[][] | undefined {
  const rows: number[][] = [];
  let row = [0];
  let cells = 0;
  let isQuoted = false;
  for (let offset = 0; offset < text.length; offset += 1) {
    const character = text[offset];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === delimiter) row.push(offset + 1);
    else if (character === '\n' || (character === '\r' && text[offset + 1] !== '\n')) {
      rows.push(row);
      cells += row.length;
      row = [offset + 1];
    }
    if (cells + row.length > cellsMax) return undefined;
  }
  if (row.length > 1 || (row[0] ?? 0) < text.length) rows.push(row);
  return rows;
}
