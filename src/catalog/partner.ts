import { defineResource } from '../db/resource';
import { ext, oneOf, text } from '../schema/atoms';

/** Partners: coalition partners through which activities are posted, named by `partnerCode` (DESIGN 12). */
export const partnerResource = defineResource({
  name: 'Partner',
  path: 'partners',
  isDefinition: true,
  fields: {
    code: text(100, { description: 'Unique; what activities name in partnerCode' }),
    name: text(200),
    status: oneOf(['Active', 'Inactive'], { default: 'Active' }),
    ext: ext(),
  },
  indexes: [{ keys: { org: 1, code: 1 }, unique: true }],
});
