import { type DocOf, defineResource } from '#base/schema/resource';
import { offerFields } from './offerFields';

/** Offers: discounts or points that a member may use without paying points. */
export const offerResource = defineResource({
  name: 'Offer',
  path: 'offers',
  access: 'catalog',
  tag: 'Rewards and offers',
  isDefinition: true,
  fields: offerFields,
  fixed: ['program'],
  hidden: ['codeKey'],
  indexes: [
    { keys: { org: 1, code: 1 }, unique: true },
    { keys: { org: 1, codeKey: 1 }, unique: true, where: { codeKey: { $exists: true } } },
  ],
});

export type Offer = DocOf<typeof offerResource>;
