/** What the cells of a column of a lookup table are. */
export type ColumnKind = 'text' | 'number' | 'boolean';

/** A column of a lookup table. */
export interface LookupColumn {
  name: string;
  kind: ColumnKind;
}

/** The value of a cell; null when the cell is empty. */
export type CellValue = string | number | boolean | null;

/** The contents of a lookup table, column by column. */
export interface LookupContents {
  /** SHA-256 of the columns and cells, in hexadecimal: tables with equal contents have the same hash. */
  hash: string;
  /** The columns whose values find a row. */
  keys: readonly LookupColumn[];
  /** The columns with the values of a row. */
  values: readonly LookupColumn[];
  /** Number of rows. */
  rows: number;
  /** The cells of each column in the order of the rows: the columns of `keys`, then those of `values`. */
  cells: readonly (readonly CellValue[])[];
}

/** Lookup tables by content hash. */
export type LookupTables = ReadonlyMap<string, LookupTable>;

/** No lookup tables. */
export const noLookupTables: LookupTables = new Map();

/** Number of rows to index between two pauses. */
const rowsAtOnce = 5000;

/** A value that is equal for equal keys of rows. */
export type LookupKey = string | number | boolean;

/**
 * The key of a row, or of the values that a rule looks up. Undefined when a value is missing or is of another kind than
 * its column: then no row has the key. Values are compared like `equal` compares them, so `5` is not `"5"`.
 */
export function lookupKey(columns: readonly LookupColumn[], values: readonly unknown[]): LookupKey | undefined {
  let key: LookupKey | undefined;
  for (let at = 0; at < columns.length; at += 1) {
    const value = values[at];
    if (!isOfKind(value, columns[at]?.kind)) return undefined;
    // No string of a table has a NUL, so a joined key has exactly one meaning.
    key = key === undefined ? value : `${key}\0${value}`;
  }
  return key;
}

function isOfKind(value: unknown, kind: ColumnKind | undefined): value is LookupKey {
  return typeof value === (kind === 'text' ? 'string' : kind);
}

/** An immutable table with rows that are found by their keys. The time to find one does not depend on their number. */
export class LookupTable {
  private readonly index = new Map<LookupKey, number>();

  private constructor(readonly contents: LookupContents) {}

  /** Makes a table, and calls `pause` regularly so that other work continues. Keys must be distinct. */
  static async of(contents: LookupContents, pause: () => Promise<void>): Promise<LookupTable> {
    const table = new LookupTable(contents);
    const { keys, rows, cells } = contents;
    for (let row = 0; row < rows; row += 1) {
      if (row % rowsAtOnce === 0) await pause();
      const key = lookupKey(
        keys,
        keys.map((_, column) => cells[column]?.[row]),
      );
      if (key !== undefined) table.index.set(key, row);
    }
    return table;
  }

  /** The value columns of the row with these keys, without empty cells; undefined when no row has them. */
  row(keys: readonly unknown[]): Readonly<Record<string, LookupKey>> | undefined {
    const { keys: columns, values, cells } = this.contents;
    const key = lookupKey(columns, keys);
    const row = key === undefined ? undefined : this.index.get(key);
    if (row === undefined) return undefined;
    const found: Record<string, LookupKey> = {};
    for (let at = 0; at < values.length; at += 1) {
      const cell = cells[columns.length + at]?.[row];
      const name = values[at]?.name;
      if (cell !== undefined && cell !== null && name !== undefined) found[name] = cell;
    }
    return found;
  }
}
