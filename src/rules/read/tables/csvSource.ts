import assert from 'node:assert';
import { CsvError, parse } from 'csv-parse/sync';
import { isUnfitText } from '../../../schema/textFaults';
import { FaultList } from '../../source/faultList';
import { fileMaxBytes } from '../../source/jsonSource';
import type { RuleFile, SourcePosition } from '../../source/ruleSource';
import { TextPositions } from '../../source/textPositions';

/** A cell of a CSV file: its text without surrounding spaces, and the offset where it begins. */
export interface CsvCell {
  text: string;
  offset: number;
}

/** A CSV file (RFC 4180) with the position of each cell, and the faults found in it so far. */
export class CsvSource {
  readonly faults = new FaultList();
  /** The lines that are not empty. No lines when the file cannot be parsed. */
  readonly rows: readonly (readonly CsvCell[])[];
  /** A table takes its rows from this file. */
  isUsed = false;
  private readonly places: TextPositions;

  constructor(readonly file: RuleFile) {
    const text = file.text.replace(/^\uFEFF/, '');
    this.places = new TextPositions(file.path, text);
    this.rows = this.read(text);
  }

  error(offset: number, message: string): void {
    this.faults.error({ ...this.placeOf(offset), message });
  }

  warning(offset: number, message: string): void {
    this.faults.warning({ ...this.placeOf(offset), message });
  }

  placeOf(offset: number): SourcePosition {
    return this.places.at(offset);
  }

  private read(text: string): CsvCell[][] {
    const offsets = cellOffsets(text);
    if (offsets && Buffer.byteLength(text) <= fileMaxBytes) return this.parsed(text, offsets);
    this.error(0, `is larger than 1 MB, or holds more than ${cellsMax} cells; split it into several files`);
    return [];
  }

  private parsed(text: string, offsets: readonly (readonly number[])[]): CsvCell[][] {
    try {
      const records: string[][] = parse(text, options);
      // The library does not count spaces after the last line as a line.
      assert(offsets.length - records.length <= 1, 'both ways of reading CSV find the same lines');
      for (const [row, record] of records.entries()) {
        for (const [column, cell] of record.entries()) {
          if (isUnfitText(cell.replaceAll('\r\n', '\n'))) this.error(offsets[row]?.[column] ?? 0, unfitMessage);
        }
      }
      if (this.faults.count > 0) return [];
      const rows = records.map((record, row) =>
        record.map((cell, column) => ({ text: cell, offset: afterSpaces(text, offsets[row]?.[column] ?? 0) })),
      );
      return rows.filter((row) => row.some((cell) => cell.text !== ''));
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      // A quote that never closes reaches to the end of the file, so its cell is the last one.
      const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
      const row = isOpen ? offsets.at(-1) : offsets.find(([start = 0]) => this.placeOf(start).line === error.lines);
      this.error((isOpen ? row?.at(-1) : row?.[0]) ?? 0, messages[error.code] ?? 'is not CSV as RFC 4180 says');
      return [];
    }
  }
}

/** Maximum number of cells of a file, with the cells of empty lines. Enough for 5,000 rows of 20 cells. */
const cellsMax = 100_000;

const unfitMessage = 'this cell holds a control character, which no text may';

const options = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  trim: true,
};

const messages: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'this cell begins with a quote that never closes',
  CSV_INVALID_CLOSING_QUOTE: 'a quote stands inside a cell of this line; within quotes it is written twice',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'something stands after the closing quote of a cell of this line',
  INVALID_OPENING_QUOTE:
    'a quote stands inside a cell of this line; such a cell stands in quotes, each quote in it twice',
};

function afterSpaces(text: string, offset: number): number {
  let start = offset;
  while (text[start] === ' ' || text[start] === '\t') start += 1;
  return start;
}

/**
 * The offset of each cell of each line; undefined when there are too many cells. Each quote switches between inside and
 * outside; an escaped quote is two quotes, so it switches twice.
 */
function cellOffsets(text: string): number[][] | undefined {
  const rows: number[][] = [];
  let row = [0];
  let cells = 0;
  let isQuoted = false;
  for (let offset = 0; offset < text.length; offset += 1) {
    const character = text[offset];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === ',') row.push(offset + 1);
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
