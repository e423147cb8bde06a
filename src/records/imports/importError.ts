import { type Static, Type } from '@sinclair/typebox';
import type { FieldError } from '#base/common/errors';
import { type Message, pickMessage } from '#base/common/messages/message';
import { type Author, derivedId, newStamps } from '#base/db/records';
import { count, instant, list, objectId, record, text } from '#base/schema/atoms';
import { messageFields } from '#base/schema/messageShape';
import { type DocOf, defineResource } from '#base/schema/resource';

/** The path of imports. When a row is refused after its import, the counts there are updated. */
export const importsPath = 'imports';

const rowFields = {
  import: objectId(),
  /** The number of the row in the file, from 0. */
  row: count(),
  /** The line on which the row begins, from 1. */
  line: count(),
  /** The cells of a CSV row, or the text of an NDJSON row; absent when they are too long. */
  cells: Type.Optional(list(Type.String(), 1000)),
  text: Type.Optional(Type.String()),
  keptUntil: instant(),
};

const importedRowShape = record(rowFields);

/** A row of an import, with what is kept of it for the file of failed rows. */
export type ImportedRow = Static<typeof importedRowShape>;

/** The rows of an import that were refused. Their ids are derived from the import and the number of the row. */
export const importErrorResource = defineResource({
  name: 'ImportError',
  path: 'importerrors',
  isInternal: true,
  fields: {
    ...rowFields,
    errors: list(record({ path: Type.String(), kind: text(100), message: Type.String(), ...messageFields }), 100),
  },
  indexes: [{ keys: { import: 1, row: 1 } }, { keys: { keptUntil: 1 }, expireAfterSeconds: 0 }],
});

export type ImportError = DocOf<typeof importErrorResource>;

/** A row that was refused, as it is stored. An error without fields has its code as its kind. */
export function buildImportError(
  author: Author,
  now: Date,
  row: ImportedRow,
  refusals: readonly (Message & { code: number; errors?: readonly FieldError[] | undefined })[],
): ImportError {
  const errors = refusals.flatMap(
    (each) => each.errors ?? [{ path: '', kind: String(each.code), ...pickMessage(each) }],
  );
  return {
    ...newStamps(author, now, derivedId('importError', row.import, row.row)),
    ...row,
    errors: errors.slice(0, 100),
  };
}
