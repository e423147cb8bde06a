import { ext, findableName } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/** Extension schemas: a named group of the extension fields of a model (SPEC "Extension fields"). */
export const extSchemaResource = defineResource({
  name: 'ExtSchema',
  path: 'extschemas',
  access: 'managed',
  tag: 'Extension fields',
  isDefinition: true,
  fields: {
    model: findableName(100, { description: 'Such as Member, Location, ActivityHistory or LineItem' }),
    name: findableName(100, { description: 'Unique in the model' }),
    ext: ext(),
  },
  indexes: [{ keys: { org: 1, model: 1, name: 1 }, unique: true }],
});

export type ExtSchema = DocOf<typeof extSchemaResource>;
