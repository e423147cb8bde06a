import { Type } from '@sinclair/typebox';
import { decimal, ext, findableName, objectId, oneOf, text, withValues } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/** Extension definitions: one extension field and the rules for its values. */
export const extDefResource = defineResource({
  name: 'ExtDef',
  path: 'extdefs',
  access: 'managed',
  tag: 'Extension fields',
  isDefinition: true,
  fields: {
    extSchema: objectId('ExtSchema'),
    field: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,99}$', description: 'Unique in the schema' }),
    type: oneOf(['string', 'integer', 'number', 'boolean', 'date', 'enum']),
    required: Type.Boolean({ default: false }),
    enumType: Type.Optional(
      findableName(100, { description: 'Of type enum: the type of the Enums that are its values' }),
    ),
    pattern: Type.Optional(text(500, { description: 'Of a string: what it must match (RE2 syntax)' })),
    min: Type.Optional(decimal({ description: 'Least number, or length of a string' })),
    max: Type.Optional(decimal({ description: 'Greatest number, or length of a string' })),
    ext: ext(),
  },
  fixed: ['extSchema'],
  createRule: { anyOf: [{ properties: { type: { not: { const: 'enum' } } } }, withValues(['enumType'])] },
  indexes: [{ keys: { org: 1, extSchema: 1, field: 1 }, unique: true }],
});

export type ExtDef = DocOf<typeof extDefResource>;
