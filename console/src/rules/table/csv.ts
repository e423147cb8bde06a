/** A table of texts as a CSV file has it (RFC 4180). */
export interface CsvTable {
  /** The names of the columns: the first line. */
  columns: string[];
  rows: string[][];
}

/** Reads a CSV file. Missing cells at the end of a line are empty. */
export function csvTable(text: string): CsvTable {
  const [columns = [], ...rows] = recordsOf(text.replace(/^\uFEFF/, ''));
  return { columns, rows: rows.map((row) => columns.map((_column, index) => row[index] ?? '')) };
}

/** Writes a CSV file, with quotation marks only where they are needed. */
export function csvText({ columns, rows }: CsvTable): string {
  return [columns, ...rows].map((row) => `${row.map(cellText).join(',')}\n`).join('');
}

function cellText(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The lines of a file. A line without any text is no record. */
function recordsOf(text: string): string[][] {
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
    else if (sign === ',') endCell();
    else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') at += 1;
      endRecord();
    } else cell += sign;
  }
  if (cell !== '' || record.length > 0) endRecord();
  return records;
}
