import { Type } from '@sinclair/typebox';
import { ext, findableName, text } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

/** Enums: additional values that the service accepts, for example of `ActivityType`. */
export const enumResource = defineResource({
  name: 'Enum',
  path: 'enums',
  access: 'managed',
  tag: 'Lists and segments',
  isDefinition: true,
  fields: {
    type: findableName(100, { description: 'For example ActivityType, ChannelType, SalesUOM, SequenceName' }),
    value: findableName(100, { description: 'Unique in the type' }),
    label: Type.Optional(text(200)),
    order: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    ext: ext(),
  },
  indexes: [{ keys: { org: 1, type: 1, value: 1 }, unique: true }],
});
