import { Type } from '@sinclair/typebox';
import { neededByQuery, storedQuery } from '#base/query/storedQuery';
import { ext, findableName, list, objectId, oneOf, text, withValues } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/** Most records in a static list, and most records that are read for a list by query. */
export const namedListMax = 10_000;

/** Named lists: records of a model, selected by ids or by a query. */
export const namedListResource = defineResource({
  name: 'NamedList',
  path: 'namedlists',
  access: 'managed',
  tag: 'Lists and segments',
  isDefinition: true,
  fields: {
    name: findableName(200, { description: 'Unique' }),
    model: Type.Optional(text(100, { description: 'What it lists, such as Product; needed by a list by query' })),
    kind: oneOf(['static', 'query'], { default: 'static' }),
    ids: Type.Optional(
      list(objectId(undefined, { 'x-ref-any': true }), namedListMax, { description: 'Of a static list' }),
    ),
    query: Type.Optional(storedQuery),
    ext: ext(),
  },
  createRule: { ...neededByQuery('model', 'query'), not: { ...withValues(['query']), not: withValues(['model']) } },
  indexes: [{ keys: { org: 1, name: 1 }, unique: true }],
});

export type NamedList = DocOf<typeof namedListResource>;
