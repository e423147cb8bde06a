import { type CsvTable, csvTable } from '../../csv/csv';

/** How much of a file is read to show what is in it. */
const readBytes = 262_144;

/** The most rows that are looked at. */
const rowsMax = 200;

/** The first rows of a file. */
export interface FirstRows extends CsvTable {
  /** The file has characters that are not UTF-8. */
  isGarbled: boolean;
}

/** Reads the first rows of a CSV file, however large it is. Names of columns are as the service reads them. */
export async function readFirstRows(file: File): Promise<FirstRows> {
  const text = await file.slice(0, readBytes).text();
  const { columns, rows } = csvTable(text);
  // The last row may have been cut.
  const whole = file.size > readBytes ? rows.slice(0, -1) : rows;
  return {
    columns: columns.map((name) => name.trim().normalize('NFC')),
    rows: whole.slice(0, rowsMax),
    isGarbled: text.slice(0, -1).includes('\uFFFD'),
  };
}

/** Tells whether the first line looks like a row of values instead of names of columns. */
export function isWithoutHead({ columns }: CsvTable): boolean {
  return columns.some((name) => isFigure(name) || isAddress(name));
}

function isFigure(name: string): boolean {
  return /^[-+\d][-\d.,/:]*$/.test(name) && /\d/.test(name);
}

function isAddress(name: string): boolean {
  return name.includes('@') && name.includes('.') && !/\s/.test(name);
}
