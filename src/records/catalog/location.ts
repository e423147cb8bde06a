import { type DocOf, defineResource } from '#base/schema/resource';
import { locationFields } from './locationFields';

/** Locations: where activities happen, such as stores. */
export const locationResource = defineResource({
  name: 'Location',
  path: 'locations',
  access: 'catalog',
  tag: 'Catalog',
  fields: locationFields,
  indexes: [{ keys: { org: 1, number: 1 }, unique: true }],
});

export type Location = DocOf<typeof locationResource>;
