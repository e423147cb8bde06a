import type { Message } from '#base/common/messages/message';
import type { JsonPath, RuleSource, SourcePosition } from '../../source/ruleSource';
import type { CsvCell, CsvSource } from './csvSource';

/** A cell of a table, from a rule file or a CSV file. */
export interface Cell {
  /** Undefined when the cell is empty. */
  value: unknown;
  error(fault: Message): void;
  warning(fault: Message): void;
  place(): SourcePosition;
}

/** A row of a table: its position, and its cells by column name. */
export interface Row extends Omit<Cell, 'value'> {
  cells: ReadonlyMap<string, Cell>;
}

/** A value of a rule file as a cell. Null and an empty string make an empty cell. */
export function jsonCell(source: RuleSource, at: JsonPath, value: unknown): Cell {
  return {
    value: value === null || value === '' ? undefined : value,
    error: (fault) => source.error(at, fault),
    warning: (fault) => source.warning(at, fault),
    place: () => source.placeOf(at),
  };
}

/** A cell of a CSV file. `value` is the value of its text. */
export function csvCell(source: CsvSource, { text, offset }: CsvCell, value: unknown): Cell {
  return {
    value: text === '' ? undefined : value,
    error: (fault) => source.error(offset, fault),
    warning: (fault) => source.warning(offset, fault),
    place: () => source.placeOf(offset),
  };
}
