import type { ImportedRow } from '#records/imports/importError';
import type { FileRow } from './file/fileRow';
import type { Import } from './import';

/** A row of a file with what is kept of it for the file of failed rows. */
export function importedRow(
  { _id, format, keptUntil }: Pick<Import, '_id' | 'format' | 'keptUntil'>,
  { n, line, kept }: Pick<FileRow, 'line' | 'kept'> & { n: number },
): ImportedRow {
  const row = { import: _id, row: n, line, keptUntil };
  if (!kept) return row;
  return { ...row, ...(format === 'csv' && 'cells' in kept ? kept : { text: 'text' in kept ? kept.text : '' }) };
}
