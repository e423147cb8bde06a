import { type Static, Type } from '@sinclair/typebox';
import { anyValue, byName, freeObject, list, oneOf, record, text } from '../../schema/atoms';
import { when } from '../../schema/when';
import { pathMax } from '../language/factRef';

const optional = Type.Optional;

/** Most columns of a table. */
const columnsMax = 50;

const type = optional(
  oneOf(['text', 'number', 'boolean'], { description: 'What the cells of a CSV file are; found out when left out' }),
);

const conditionColumn = record({
  fact: text(100),
  path: optional(text(pathMax)),
  params: optional(freeObject()),
  operator: text(200, { description: 'Compares the fact with the cell; an empty cell asks for nothing' }),
  type,
});

const valueColumn = record({
  set: text(pathMax, {
    description: 'The field of the rule that the cell replaces, such as $.actions[0].points; an empty cell keeps it',
  }),
  type,
});

const keyColumn = record({
  key: Type.Boolean({ description: 'The cell ends the key of the row’s rule, so that it keeps its limits' }),
});

/** The kinds of column. */
export const columnForms = { conditionColumn, valueColumn, keyColumn } as const;

/** What the cells of a column are for. */
export type Column = Static<typeof conditionColumn> | Static<typeof valueColumn> | Static<typeof keyColumn>;

/** The schema of a {@link Column}. */
export const columnShape = Type.Unsafe<Column>({
  type: 'object',
  ...when(having('set'), valueColumn, when(having('key'), keyColumn, conditionColumn)),
});

function having(field: string) {
  return { type: 'object', properties: { [field]: {} }, required: [field] };
}

/**
 * The field `table` of a rule: one rule for each row, which adds its conditions to those of the rule and replaces values
 * of it.
 */
export const tableShape = record(
  {
    columns: byName(columnShape, 100, {
      minProperties: 1,
      maxProperties: columnsMax,
      description: 'By name: what its cells are for',
    }),
    rows: optional(list(byName(anyValue(), 100), 5000, { minItems: 1, description: 'Cells by the names of columns' })),
    csv: optional(
      Type.String({
        pattern: '^[^/\\\\]{1,200}\\.csv$',
        description: 'A CSV file beside this one (RFC 4180); its first line names the columns',
      }),
    ),
  },
  { description: 'Rows that make many rules of one' },
);

/** A table as written. */
export type Table = Static<typeof tableShape>;

/** Where the rule of a row comes from. */
export interface RowOrigin {
  /** Key of the rule that holds the table. */
  readonly table: string;
  /** The file that holds the row, with the line it begins in. */
  readonly file: string;
  readonly line: number;
}
