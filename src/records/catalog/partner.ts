import { type DocOf, defineResource } from '#base/schema/resource';
import { partnerFields } from './partnerFields';

/** Partners: coalition partners that post activities; an activity refers to its partner by `partnerCode`. */
export const partnerResource = defineResource({
  name: 'Partner',
  path: 'partners',
  access: 'managed',
  tag: 'Catalog',
  isDefinition: true,
  fields: partnerFields,
  indexes: [{ keys: { org: 1, code: 1 }, unique: true }],
});

export type Partner = DocOf<typeof partnerResource>;
