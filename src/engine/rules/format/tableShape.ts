import { type Static, Type } from '@sinclair/typebox';
import { anyValue, byName, freeObject, list, oneOf, record, text } from '#base/schema/atoms';
import { having, ifThenElse } from '#base/schema/ifThenElse';
import { pathMax } from '../language/factRef';

const optional = Type.Optional;

/** Maximum number of columns of a table. */
const columnsMax = 50;

/** Maximum length of the name of a column. */
const columnNameMax = 100;

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

/** A column of a table: it says how the rule of a row uses the cell. */
export type Column = Static<typeof conditionColumn> | Static<typeof valueColumn> | Static<typeof keyColumn>;

/** The schema of a {@link Column}. */
export const columnShape = Type.Unsafe<Column>({
  type: 'object',
  ...ifThenElse(having('set'), valueColumn, ifThenElse(having('key'), keyColumn, conditionColumn)),
});

/**
 * The field `table` of a rule. Each row makes one rule: its cells add conditions to those of the rule, or replace
 * values in it.
 */
export const tableShape = record(
  {
    columns: byName(columnShape, columnNameMax, {
      minProperties: 1,
      maxProperties: columnsMax,
      description: 'By name: what its cells are for',
    }),
    rows: optional(
      list(byName(anyValue(), columnNameMax), 5000, { minItems: 1, description: 'Cells by the names of columns' }),
    ),
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

/** The row that a rule was made from. */
export interface RowOrigin {
  /** Key of the rule with the table. */
  readonly table: string;
  /** The file of the row; `line` is where the row begins. */
  readonly file: string;
  readonly line: number;
}
