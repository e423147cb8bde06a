/** A table of strings as a CSV file has it (RFC 4180). */
export interface CsvTable {
  /** The names of the columns: the first line. */
  columns: string[];
  rows: string[][];
}

/**
 * Reads a CSV file as the service does: with commas, semicolons or the delimiter that its first line names with `sep=`.
 * Missing cells at the end of a line are empty.
 */
export function csvTable(text: string): CsvTable {
  const whole = text.replace(/^\uFEFF/, '');
  const named = /^"?sep=([,;|\t])"?(?:\r\n|\n|\r)/i.exec(whole);
  const rest = whole.slice(named?.[0].length ?? 0);
  const records = recordsOf(rest, named?.[1] ?? usualIn(rest));
  const width = Math.max(0, ...records.map((cells) => cells.findLastIndex((cell) => cell !== '') + 1));
  const filled = records.slice(records.findIndex((cells) => cells.some((cell) => cell.trim() !== '')));
  const [columns = [], ...rows] = filled.map((cells) => cells.slice(0, width));
  return { columns, rows: rows.map((row) => columns.map((_column, index) => row[index] ?? '')) };
}

/** Writes a CSV file, with quotation marks only where they are needed. */
export function csvText({ columns, rows }: CsvTable): string {
  return [columns, ...rows].map((row) => `${row.map(cellText).join(',')}\n`).join('');
}

function cellText(cell: string): string {
  return /[",;|\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A comma or a semicolon: the one that occurs more often, outside of quotes, in the first line that is not empty. */
function usualIn(text: string): string {
  let header = '';
  let isQuoted = false;
  for (const sign of text) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /[\r\n]/.test(sign)) {
      if (/[^\s,;|]/.test(header)) break;
      header = '';
    } else header += isQuoted ? 'x' : sign;
  }
  return header.split(';').length > header.split(',').length ? ';' : ',';
}

/** The lines of a file. A line without any text is no record. */
function recordsOf(text: string, delimiter: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endCell = () => {
    record.push(cell);
    cell = '';
  };
  const endRecord = () => {
    endCell();
    if (record.length > 1 || record[0] !== '') records.push(record);
    record = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += sign;
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === delimiter) endCell();
    else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') at += 1;
      endRecord();
    } else cell += sign;
  }
  if (cell !== '' || record.length > 0) endRecord();
  return records;
}
