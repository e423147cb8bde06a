import type { Row } from './cell';
import type { TableColumn } from './tableColumns';

/** The cells of a row that are not empty, sorted by column name: the order of columns does not matter. */
export function filledCells(columns: readonly TableColumn[], row: Row): [string, unknown][] {
  return columns
    .flatMap(({ name }): [string, unknown][] => {
      const value = row.cells.get(name)?.value;
      return value === undefined ? [] : [[name, value]];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
