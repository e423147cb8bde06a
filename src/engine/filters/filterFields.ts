import { type FieldTable, fieldTable } from '#base/query/fields';
import { objectId, record } from '#base/schema/atoms';
import { locationFields } from '#records/catalog/locationFields';
import { productFields } from '#records/catalog/productFields';

/** The models whose records a filter can select. */
export type FilterModel = 'Product' | 'Location';

/** The fields that the criteria of a filter may name: those of the model, its `_id`, and all fields below `ext`. */
export const filterFields: Record<FilterModel, FieldTable> = {
  Product: fieldTable(record({ _id: objectId(), ...productFields })),
  Location: fieldTable(record({ _id: objectId(), ...locationFields })),
};
