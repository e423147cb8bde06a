import { validationError } from '#base/common/errors';
import type { Mapping } from '#records/imports/mappingShape';
import type { FileFormat } from '../import';
import { openCsv } from './csvRows';
import type { FileRow } from './fileRow';
import { ndjsonRows } from './ndjsonRows';
import { commentMark, type RowFields, readHeader } from './readHeader';

/** A file whose rows are read one after the other. */
export interface OpenRows {
  rows: AsyncIterable<FileRow>;
  /** The columns of a CSV file. */
  columns: readonly string[];
  /** What the columns are, and what the mapping sets. */
  fields: readonly string[];
  /** The columns that are not read. */
  ignored: readonly string[];
}

/**
 * Opens a file by its format.
 * @throws FileFault when the file cannot be read; ServiceError 1200 naming every fault of the header
 */
export async function openRows(
  source: AsyncIterable<Buffer>,
  format: FileFormat,
  fields: RowFields,
  mapping?: Mapping,
): Promise<OpenRows> {
  if (format === 'ndjson')
    return { rows: readFields(ndjsonRows(source), fields), columns: [], fields: [], ignored: [] };
  let readCells: ReturnType<typeof readHeader>['readCells'] = () => ({});
  const { columns, rows } = await openCsv(source, (cells) => readCells(cells));
  const header = readHeader(columns, fields, mapping);
  if (header.faults.length > 0) throw validationError(header.faults);
  readCells = header.readCells;
  return { rows, columns, fields: header.fields, ignored: header.ignored };
}

/** Leaves out the fields that are not read, as columns of a CSV file are. */
async function* readFields(rows: AsyncIterable<FileRow>, { notRead }: RowFields): AsyncGenerator<FileRow> {
  for await (const row of rows) {
    if (!row.value) yield row;
    else {
      const read = Object.entries(row.value).filter(([name]) => !name.startsWith(commentMark) && !notRead.has(name));
      yield { ...row, value: Object.fromEntries(read) };
    }
  }
}
