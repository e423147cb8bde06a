import { Type } from '@sinclair/typebox';
import { neededByQuery, storedQuery } from '#base/query/storedQuery';
import { ext, findableName, oneOf } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/**
 * Segments: groups of members. A member lists its static segments in `segments`. Other segments have a query that
 * selects their members.
 */
export const segmentResource = defineResource({
  name: 'Segment',
  path: 'segments',
  access: 'managed',
  tag: 'Lists and segments',
  isDefinition: true,
  fields: {
    name: findableName(200, { description: 'Unique' }),
    kind: oneOf(['static', 'query'], { default: 'static' }),
    query: Type.Optional(storedQuery),
    ext: ext(),
  },
  createRule: neededByQuery('query'),
  indexes: [{ keys: { org: 1, name: 1 }, unique: true }],
});

export type Segment = DocOf<typeof segmentResource>;
