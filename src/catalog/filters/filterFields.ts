import { type FieldTable, fieldTable } from '../../query/fields';
import { locationFields } from '../../records/catalog/locationFields';
import { productFields } from '../../records/catalog/productFields';
import { objectId, record } from '../../schema/atoms';

/** What a filter selects. */
export type FilterModel = 'Product' | 'Location';

/** The fields that the criteria of a filter may name: those of the model, its `_id`, and any below `ext`. */
export const filterFields: Record<FilterModel, FieldTable> = {
  Product: fieldTable(record({ _id: objectId(), ...productFields })),
  Location: fieldTable(record({ _id: objectId(), ...locationFields })),
};
