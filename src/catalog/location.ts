import { Type } from '@sinclair/typebox';
import { type DocOf, defineResource } from '../db/resource';
import { ext, freeObject, list, oneOf, text } from '../schema/atoms';

/** Locations: where activities happen, such as stores (DESIGN 12). */
export const locationResource = defineResource({
  name: 'Location',
  path: 'locations',
  fields: {
    number: text(100, { description: 'Unique; what activities name in srcChannelID' }),
    name: text(200),
    timezone: Type.Optional(text(64, { description: 'IANA time zone', 'x-timezone': true })),
    address: Type.Optional(freeObject()),
    tags: Type.Optional(list(text(100), 100)),
    status: oneOf(['Active', 'Inactive', 'Closed'], { default: 'Active' }),
    ext: ext(),
  },
  indexes: [{ keys: { org: 1, number: 1 }, unique: true }],
});

export type Location = DocOf<typeof locationResource>;
