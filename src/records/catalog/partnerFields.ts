import { ext, identifier, oneOf, text } from '#base/schema/atoms';

/** The fields of a partner. They are separate from the resource, so that pure code can import them. */
export const partnerFields = {
  code: identifier(100, { description: 'Unique; what activities name in partnerCode' }),
  name: text(200),
  status: oneOf(['Active', 'Inactive'], { default: 'Active' }),
  ext: ext(),
};
