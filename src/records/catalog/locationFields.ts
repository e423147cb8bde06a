import { Type } from '@sinclair/typebox';
import { ext, freeFields, identifier, list, oneOf, text } from '#base/schema/atoms';

/** The fields of a location. They are separate from the resource, so that pure code can import them. */
export const locationFields = {
  number: identifier(100, { description: 'Unique; what activities name in srcChannelID' }),
  name: text(200),
  timezone: Type.Optional(text(64, { 'x-timezone': true })),
  address: Type.Optional(freeFields()),
  tags: Type.Optional(list(text(100), 100)),
  status: oneOf(['Active', 'Inactive', 'Closed'], { default: 'Active' }),
  ext: ext(),
};
