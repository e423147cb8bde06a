import { Type } from '@sinclair/typebox';
import type { Binary } from 'bson';
import { count, instant, list, objectId, record, text } from '../../schema/atoms';
import { type DocOf, defineResource } from '../../schema/resource';

/**
 * Files that arrive. The import begins when its file is whole; it has the id of the upload. Both cannot be listed over
 * HTTP.
 */
export const importUploadResource = defineResource({
  name: 'ImportUpload',
  path: 'importuploads',
  isInternal: true,
  fields: { bytes: count(), aliveAt: instant() },
  indexes: [{ keys: { org: 1 } }, { keys: { aliveAt: 1 } }],
});

/** The parts of files. Their ids are derived from the import and their number. */
export const importChunkResource = defineResource({
  name: 'ImportChunk',
  path: 'importchunks',
  isInternal: true,
  fields: {
    import: objectId(),
    data: Type.Unsafe<Binary>({}),
    keptUntil: instant(),
  },
  indexes: [{ keys: { import: 1 } }, { keys: { keptUntil: 1 }, expireAfterSeconds: 0 }],
});

/** The rows of an import that were refused. Their ids are derived from the import and the number of the row. */
export const importErrorResource = defineResource({
  name: 'ImportError',
  path: 'importerrors',
  isInternal: true,
  fields: {
    import: objectId(),
    /** The number of the row in the file, from 0. */
    row: count(),
    /** The line on which the row begins, from 1. */
    line: count(),
    /** The cells of a CSV row, or the text of an NDJSON row; absent when they are too long. */
    cells: Type.Optional(list(Type.String(), 1000)),
    text: Type.Optional(Type.String()),
    errors: list(record({ path: Type.String(), kind: text(100), message: Type.String() }), 100),
    keptUntil: instant(),
  },
  indexes: [{ keys: { import: 1, row: 1 } }, { keys: { keptUntil: 1 }, expireAfterSeconds: 0 }],
});

export type ImportError = DocOf<typeof importErrorResource>;
