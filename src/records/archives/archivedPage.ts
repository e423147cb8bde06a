import { Type } from '@sinclair/typebox';
import type { Binary } from 'bson';
import { anyValue, objectId } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

/**
 * The ids of activities that were moved to a volume of the archive, 12 bytes each: those that one transaction deleted.
 * So an archived activity can be told from one that never was. Not reachable over HTTP.
 */
export const archivedPageResource = defineResource({
  name: 'ArchivedPage',
  path: 'archivedactivities',
  isInternal: true,
  fields: {
    volume: objectId('ArchiveVolume'),
    first: objectId(),
    last: objectId(),
    /** The bytes of the ids, one after the other, in order. */
    ids: Type.Unsafe<Binary>(anyValue()),
  },
  indexes: [{ keys: { org: 1, last: 1, first: 1 } }],
});
