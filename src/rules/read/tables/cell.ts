import type { JsonPath, Place, RuleSource } from '../../source/ruleSource';
import type { CsvCell, CsvSource } from './csvSource';

/** A cell of a table, wherever it stands. */
export interface Cell {
  /** Undefined when the cell is empty. */
  value: unknown;
  error(message: string): void;
  warning(message: string): void;
  place(): Place;
}

/** A row of a table: its place, and its cells by the names of columns. */
export interface Row extends Omit<Cell, 'value'> {
  cells: ReadonlyMap<string, Cell>;
}

/** The value that stands in a rule file, as a cell; null and an empty text are empty. */
export function jsonCell(source: RuleSource, at: JsonPath, value: unknown): Cell {
  return {
    value: value === null || value === '' ? undefined : value,
    error: (message) => source.error(at, message),
    warning: (message) => source.warning(at, message),
    place: () => source.placeOf(at),
  };
}

/** A cell of a CSV file with what its text stands for. */
export function csvCell(source: CsvSource, { text, offset }: CsvCell, value: unknown): Cell {
  return {
    value: text === '' ? undefined : value,
    error: (message) => source.error(offset, message),
    warning: (message) => source.warning(offset, message),
    place: () => source.placeOf(offset),
  };
}
