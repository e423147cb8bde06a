import type { FactDefinition } from '../../format/facts';
import type { RowOrigin, Table } from '../../format/tableShape';
import type { JsonPath, RuleSource } from '../../source/ruleSource';
import { distinctRows } from './distinctRows';
import { rowRule, type Template } from './rowRule';
import { RowSource } from './rowSource';
import { tableColumns } from './tableColumns';
import { type CsvFiles, tableRows } from './tableRows';

/** What tables are made with beside their rules. */
export interface TableContext {
  facts: Record<string, FactDefinition>;
  /** The CSV files beside the rule file. */
  files: CsvFiles;
  room: TableRoom;
}

/** What the tables of an org may still come to; each takes its part. */
export interface TableRoom {
  rules: number;
  /** Characters of JSON. */
  size: number;
}

/** A rule as it stands in a file, or comes of a row. */
export interface RuleEntry {
  source: RuleSource;
  at: JsonPath;
  value: unknown;
  row?: RowOrigin;
}

/**
 * The rules of a table, one for each row in their order: the row's cells are conditions beside those of the table's
 * rule, or replace values of it. The first rule carries the tests, in which all take part.
 */
export function expandTable(
  source: RuleSource,
  at: JsonPath,
  rule: Template,
  table: Table,
  { facts, files, room }: TableContext,
): RuleEntry[] {
  const { table: _table, tests, $schema: _editor, ...template } = rule;
  const place = [...at, 'table'];
  const columns = tableColumns(source, place, template, table, facts);
  const rows = tableRows(source, place, table, columns, files);
  if (!rows || columns.length < Object.keys(table.columns).length) return [];
  if (!hasRoom(source, place, rows.length, template, room)) return [];
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

/** A small table of a large rule must not fill the memory before anything is counted. */
function hasRoom(source: RuleSource, at: JsonPath, rows: number, template: Template, room: TableRoom): boolean {
  room.rules -= rows;
  room.size -= rows * JSON.stringify(template).length;
  if (room.rules < 0) source.error(at, `with these ${rows} rows, tables come to more rules than an org may have`);
  else if (room.size < 0) source.error(at, `${rows} rows of so large a rule are too much; make it shorter`);
  return room.rules >= 0 && room.size >= 0;
}
