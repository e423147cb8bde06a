import { findableName, oneOf } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';
import { importKindNames } from './importKindNames';
import { mappingFields } from './mappingShape';

/** Mappings that are kept by their names for the next file (docs/design/bulk.md). */
export const importMappingResource = defineResource({
  name: 'ImportMapping',
  path: 'importmappings',
  access: 'managed',
  tag: 'Imports and exports',
  fields: {
    name: findableName(100, { description: 'Unique' }),
    kind: oneOf(importKindNames, { description: 'What the rows are' }),
    ...mappingFields,
  },
  indexes: [{ keys: { org: 1, name: 1 }, unique: true }],
});

export type ImportMapping = DocOf<typeof importMappingResource>;
