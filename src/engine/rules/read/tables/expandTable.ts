import { message } from '#base/common/messages/message';
import type { FactDefinition } from '../../format/factDefinition';
import type { RowOrigin, Table } from '../../format/tableShape';
import type { JsonPath, RuleSource } from '../../source/ruleSource';
import type { Row } from './cell';
import { filledCells } from './filledCells';
import { rowRule, type Template } from './rowRule';
import { RowSource } from './rowSource';
import { type TableColumn, tableColumns } from './tableColumns';
import { type CsvFiles, tableRows } from './tableRows';

/** The context for expanding tables. */
export interface TableContext {
  facts: Record<string, FactDefinition>;
  /** The CSV files beside the rule file. */
  files: CsvFiles;
  capacity: TableCapacity;
}

/** How much the tables and lookup tables of a program may still take. Each of them reduces it. */
export interface TableCapacity {
  rules: number;
  /** Characters of JSON. */
  size: number;
  /** Cells of lookup tables. */
  cells: number;
}

/** A rule from a file or from a row of a table. It is not checked yet. */
export interface RuleEntry {
  source: RuleSource;
  at: JsonPath;
  value: unknown;
  row?: RowOrigin;
}

/**
 * The rules of a table, one for each row, in order. The cells of a row add conditions to those of the table's rule, or
 * replace values in it. The first rule has the tests of the table; all rules of the table take part in them.
 */
export function expandTable(
  source: RuleSource,
  at: JsonPath,
  rule: Template,
  table: Table,
  { facts, files, capacity }: TableContext,
): RuleEntry[] {
  const { table: _table, tests, $schema: _editor, ...template } = rule;
  const place = [...at, 'table'];
  const columns = tableColumns(source, place, template, table, facts);
  const rows = tableRows(source, place, table, columns, files);
  if (!rows || columns.length < Object.keys(table.columns).length) return [];
  if (!hasCapacity(source, place, rows.length, template, capacity)) return [];
  return distinctRows(columns, rows).map((row, index) => {
    const { value, origins } = rowRule(template, columns, row, at);
    const { file, line } = row.place();
    return {
      source: new RowSource(source, at, row, origins),
      at,
      value: index === 0 && tests !== undefined ? { ...value, tests } : value,
      row: { table: String(rule.key), file, line },
    };
  });
}

/**
 * Takes capacity before the rules are made: even a short table of a large rule could fill the memory. A refused table
 * takes none, since its rules are not made.
 */
function hasCapacity(
  source: RuleSource,
  at: JsonPath,
  rows: number,
  template: Template,
  capacity: TableCapacity,
): boolean {
  const size = rows * JSON.stringify(template).length;
  if (rows > capacity.rules) source.error(at, message('ruleFiles.tooManyTableRows', { rows }));
  else if (size > capacity.size) source.error(at, message('ruleFiles.rowsOfLargeRule', { rows }));
  else {
    capacity.rules -= rows;
    capacity.size -= size;
    return true;
  }
  return false;
}

/** The rows with distinct keys. Every other row gets a fault that names the earlier row. */
function distinctRows(columns: readonly TableColumn[], rows: readonly Row[]): Row[] {
  const keyColumn = columns.find(({ kind }) => kind === 'key');
  const conditions = columns.filter(({ kind }) => kind === 'condition');
  const others = columns.filter(({ kind }) => kind !== 'key');
  const contents = new Map<string, Row>();
  const keys = new Map<string, Row>();
  return rows.filter((row) => {
    const key = keyColumn ? row.cells.get(keyColumn.name) : undefined;
    const content = JSON.stringify(filledCells(others, row));
    const identity = keyColumn ? String(key?.value) : JSON.stringify(filledCells(conditions, row));
    const same = contents.get(content);
    const twin = keys.get(identity);
    contents.set(content, same ?? row);
    keys.set(identity, twin ?? row);
    if (same) row.error(message('ruleFiles.repeatsRow', { line: lineText(same) }));
    else if (keyColumn && key?.value === undefined) row.error(message('ruleFiles.noRowKey'));
    else if (twin && keyColumn) key?.error(message('ruleFiles.sameRowKey', { line: lineText(twin) }));
    else if (twin) row.error(message('ruleFiles.sameRowConditions', { line: lineText(twin) }));
    return !same && !twin;
  });
}

function lineText(row: Row): string {
  const { file, line } = row.place();
  return `${file}:${line}`;
}
