import { Type } from '@sinclair/typebox';
import { anyValue, count, instant, list, oneOf, record, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';
import type { CellValue, LookupColumn } from '#engine/rules/lookup/lookupTable';

/** Rows of one document. 10,000 rows stay far below the 16 MB of a document, and are read within milliseconds. */
export const rowsOfPart = 10_000;

const column = record({ name: text(100), kind: oneOf(['text', 'number', 'boolean']) });
const columns = () => list(Type.Unsafe<LookupColumn>(column), 100);

/**
 * The contents of lookup tables, in parts of some rows. A table is named by its content hash and never changed, so every
 * version of the rule set that reads equal contents reads the same parts. No routes.
 */
export const lookupTableResource = defineResource({
  name: 'LookupTable',
  path: 'lookuptables',
  fields: {
    hash: text(64, { description: 'SHA-256 of the whole table' }),
    part: count({ description: 'Position of this part; parts count from 0' }),
    parts: count({ description: 'Number of parts of the table' }),
    keys: columns(),
    values: columns(),
    rows: count({ description: 'Rows of this part' }),
    /** The cells of each column, as in `LookupContents`. */
    cells: list(Type.Unsafe<CellValue[]>(list(anyValue(), rowsOfPart)), 100),
    /** Only a simulation, or a publication that is not finished, needs the table; then it is deleted. */
    keptUntil: Type.Optional(instant()),
  },
  indexes: [
    { keys: { org: 1, hash: 1, part: 1 }, unique: true },
    { keys: { keptUntil: 1 }, expireAfterSeconds: 0 },
  ],
});

export type LookupTablePart = DocOf<typeof lookupTableResource>;
