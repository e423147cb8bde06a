import { Type } from '@sinclair/typebox';
import { effectiveShape, ext, oneOf, text } from '../../schema/atoms';
import { type DocOf, defineResource } from '../../schema/resource';

/** Programs: the loyalty programs that members join. */
export const programResource = defineResource({
  name: 'Program',
  path: 'programs',
  access: 'catalog',
  tag: 'Programs',
  isDefinition: true,
  fields: {
    code: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$', description: 'Unique; also its rule folder' }),
    name: text(200),
    status: oneOf(['Active', 'Paused', 'Closed'], { default: 'Active' }),
    timezone: text(64, {
      default: 'UTC',
      description: 'IANA time zone; cannot change once the program has members',
      'x-timezone': true,
    }),
    currencyCode: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    effective: Type.Optional(effectiveShape),
    /** Set when the first member joins. */
    hasMembers: Type.Optional(Type.Boolean()),
    ext: ext(),
  },
  hidden: ['hasMembers'],
  // The code is the name of the program's rule folder.
  fixed: ['code'],
  indexes: [{ keys: { org: 1, code: 1 }, unique: true }],
});

export type Program = DocOf<typeof programResource>;
