import { ext, oneOf, text } from '../../schema/atoms';

/** The fields of a partner; apart from the resource, so that pure code may read them. */
export const partnerFields = {
  code: text(100, { description: 'Unique; what activities name in partnerCode' }),
  name: text(200),
  status: oneOf(['Active', 'Inactive'], { default: 'Active' }),
  ext: ext(),
};
