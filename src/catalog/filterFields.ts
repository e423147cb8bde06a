import { type FieldTable, fieldTable } from '../query/fields';
import { objectId, record } from '../schema/atoms';
import { locationFields } from './locationFields';
import { productFields } from './productFields';

/** What a filter selects. */
export type FilterModel = 'Product' | 'Location';

/** The fields that the criteria of a filter may name: those of the model, its `_id`, and any below `ext`. */
export const filterFields: Record<FilterModel, FieldTable> = {
  Product: fieldTable(record({ _id: objectId(), ...productFields })),
  Location: fieldTable(record({ _id: objectId(), ...locationFields })),
};
