import { type Static, Type } from '@sinclair/typebox';
import { byName, list, oneOf, record, text } from '#base/schema/atoms';

/** Maximum numbers of rows, of columns of keys and of values, and of cells of all lookup tables together. */
export const lookupLimits = { rows: 100_000, keys: 5, values: 50, cells: 2_000_000 } as const;

/** Names of lookup tables and of their columns. Paths of rules have them without quotes. */
// eslint-disable-next-line regexp/use-ignore-case -- its source is the pattern of a JSON schema, which has no flags
export const lookupName = /^[A-Za-z][\w-]{0,99}$/;

const columnName = Type.String({ pattern: lookupName.source });

/** The entry of a rule file that declares a lookup table. */
export const lookupShape = record({
  $schema: Type.Optional(Type.String({ maxLength: 500 })),
  lookupTable: Type.String({
    pattern: lookupName.source,
    description: 'Name, unique in the program; rules read it with the fact `table`',
  }),
  description: Type.Optional(text(2000)),
  csv: Type.String({
    pattern: '^[^/\\\\]{1,200}\\.csv$',
    description: 'A CSV file beside this one (RFC 4180); its first line names the columns, in any order',
  }),
  keys: list(columnName, lookupLimits.keys, {
    minItems: 1,
    uniqueItems: true,
    description: 'The columns that find a row; no two rows have the same keys',
  }),
  types: Type.Optional(
    byName(oneOf(['text', 'number', 'boolean']), 100, {
      description:
        'What the cells of a column are. Default: text for keys; for values, what all of its cells look like',
    }),
  ),
});

/** The declaration of a lookup table, as written. */
export type LookupDeclaration = Static<typeof lookupShape>;
