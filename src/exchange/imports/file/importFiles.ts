import { Type } from '@sinclair/typebox';
import type { Binary } from 'bson';
import { count, instant, objectId } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

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
