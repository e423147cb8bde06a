import { type Static, Type } from '@sinclair/typebox';
import { list, record, text } from '#base/schema/atoms';

const optional = Type.Optional;

/**
 * How a file is read: the field of each column, fixed values of further fields, and how dates and numbers are written.
 */
export const mappingFields = {
  columns: optional(
    list(record({ column: text(200), field: text(200) }), 200, {
      description: 'The field of each column by its name in the file; a field that begins with # is not read',
    }),
  ),
  constants: optional(
    list(record({ field: text(200), value: text(1000) }), 50, {
      description: 'Fields with one value in every row, written as in a cell',
    }),
  ),
  dateFormat: optional(
    text(40, {
      description: 'How dates are written: y, M, d, H, m and s, such as dd.MM.yyyy or MM/dd/yyyy HH:mm',
      examples: ['dd.MM.yyyy'],
    }),
  ),
  timezone: optional(
    text(64, { 'x-timezone': true, description: 'Zone of dates in dateFormat; default: as dates without an offset' }),
  ),
  decimalComma: optional(
    Type.Boolean({
      description:
        'true: decimals have a comma (1.234,5 is read too); false: a point (1,234.5 too), and 1.000 is 1; absent: a point',
    }),
  ),
  amountFactor: optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      description:
        'What the value of an activity is multiplied with, such as 100 for a file in euros where rules count cents',
    }),
  ),
  pointsFactor: optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      description: 'What cells of points are multiplied with, such as 100 for points in cents of a file in euros',
    }),
  ),
};

/** How a file is read. */
export const mappingShape = record(mappingFields);

export type Mapping = Static<typeof mappingShape>;
