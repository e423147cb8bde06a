import type { Delimiter } from '#base/common/cells/csvDialect';
import { message } from '#base/common/messages/message';
import { importLimits } from '../importLimits';
import { FileFault } from './fileFault';

/** A record of a CSV file: its cells, the line on which it begins, and the offset after it in bytes. */
export interface CsvRecord {
  cells: string[];
  line: number;
  end: number;
}

/** Where the records begin. */
interface Place {
  line: number;
  end: number;
}

/**
 * Reads the records of a CSV file (RFC 4180), whose pieces have any size, with any line ends. Records without a value
 * in any cell are passed over. Each byte is a character of a cell, so that a fault of the encoding is found in its row
 * and fails no other. Decision 138 says why no library does this.
 * @throws FileFault after the last record that can be read
 */
export async function* csvRecords(
  pieces: AsyncIterable<Buffer>,
  delimiter: Delimiter,
  start: Place = { line: 1, end: 0 },
): AsyncGenerator<CsvRecord, void, undefined> {
  const reader = new RecordReader(delimiter, start);
  for await (const piece of pieces) for (const record of reader.read(piece.toString('latin1'))) yield record;
  const last = reader.finish();
  if (last) yield last;
}

/** Whether a cell has nothing but white space. */
export function isBlank(cell: string): boolean {
  return cell === '' || cell.trim() === '';
}

/** What was read of a cell: nothing yet, text without quotes, text after its opening quote, or up to a closing quote. */
type Part = 'nothing' | 'plain' | 'quoted' | 'closed';

/** The signs that divide a file, and the text between them. */
const signs: Readonly<Record<Delimiter, RegExp>> = {
  ',': /[",\r\n]|[^",\r\n]+/g,
  ';': /[";\r\n]|[^";\r\n]+/g,
  '\t': /["\t\r\n]|[^"\t\r\n]+/g,
  '|': /["|\r\n]|[^"|\r\n]+/g,
};

class RecordReader {
  private cells: string[] = [];
  private cell = '';
  private part: Part = 'nothing';
  /** The line and offset reached, where the record began, and the line of the latest opening quote. */
  private line: number;
  private end: number;
  private begin: Place;
  private quoteLine = 0;
  private isAfterReturn = false;

  constructor(
    private readonly delimiter: Delimiter,
    start: Place,
  ) {
    [this.line, this.end, this.begin] = [start.line, start.end, start];
  }

  /** Reads a piece of the file. Returns the records that end in it. */
  *read(text: string): Generator<CsvRecord, void, undefined> {
    for (const [sign] of text.matchAll(signs[this.delimiter])) {
      this.end += sign.length;
      const isSecond = sign === '\n' && this.isAfterReturn;
      this.isAfterReturn = sign === '\r';
      const isBreak = sign === '\n' || sign === '\r';
      if (isBreak && !isSecond) this.line += 1;
      if (this.part === 'quoted') this.readQuoted(sign);
      else if (!isBreak) this.readPlain(sign);
      // The line feed of a pair ends the record that the carriage return has ended.
      else if (isSecond) this.begin = { line: this.line, end: this.end };
      else yield* this.taken();
      this.requireSize();
    }
  }

  /** Takes what follows the last line end. */
  finish(): CsvRecord | undefined {
    if (this.part === 'quoted') throw new FileFault(message('imports.quoteOpen', { line: this.quoteLine }));
    const [record] = this.taken();
    return record;
  }

  private readQuoted(sign: string): void {
    if (sign === '"') this.part = 'closed';
    else this.cell += sign;
  }

  private readPlain(sign: string): void {
    if (sign === this.delimiter) this.takeCell();
    else if (sign === '"' && this.part === 'nothing') [this.part, this.quoteLine] = ['quoted', this.line];
    else if (sign === '"' && this.part === 'closed') {
      this.cell += sign;
      this.part = 'quoted';
    } else if (sign === '"' || this.part === 'closed') {
      throw new FileFault(message('imports.quoteInCell', { line: this.line }));
    } else {
      this.cell += sign;
      this.part = 'plain';
    }
  }

  private takeCell(): void {
    this.cells.push(this.cell);
    [this.cell, this.part] = ['', 'nothing'];
  }

  private taken(): CsvRecord[] {
    this.takeCell();
    const { cells, end } = this;
    const { line } = this.begin;
    [this.cells, this.begin] = [[], { line: this.line, end }];
    return cells.every(isBlank) ? [] : [{ cells, line, end }];
  }

  private requireSize(): void {
    if (this.end - this.begin.end <= importLimits.rowMaxBytes) return;
    const line = this.part === 'quoted' ? this.quoteLine : this.begin.line;
    throw new FileFault(message('imports.csvRowTooLarge', { line }));
  }
}
