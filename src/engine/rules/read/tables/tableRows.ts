import { joinMessages, type Message, message } from '#base/common/messages/message';
import type { Table } from '../../format/tableShape';
import { didYouMean } from '../../source/nearest';
import type { JsonPath, RuleSource } from '../../source/ruleSource';
import { type Cell, csvCell, jsonCell, type Row } from './cell';
import { cellValue } from './cellType';
import { checkColumn } from './columnKind';
import type { CsvCell, CsvSource } from './csvSource';
import type { TableColumn } from './tableColumns';

/** The CSV files in the folder of a rule file, by name. */
export type CsvFiles = ReadonlyMap<string, CsvSource>;

/** The rows of a table. Returns undefined after reporting why they cannot be read. */
export function tableRows(
  source: RuleSource,
  at: JsonPath,
  table: Table,
  columns: readonly TableColumn[],
  files: CsvFiles,
): Row[] | undefined {
  const { rows, csv } = table;
  if (rows !== undefined && csv === undefined) return jsonRows(source, [...at, 'rows'], rows, table);
  if (csv === undefined || rows !== undefined) {
    source.error(at, message('ruleFiles.rowsOrCsv'));
    return undefined;
  }
  const file = files.get(csv);
  if (!file) {
    source.error([...at, 'csv'], didYouMean(message('ruleFiles.noSuchFile', { csv }), csv, files.keys()));
    return undefined;
  }
  file.isUsed = true;
  return csvRows(file, table, columns);
}

function jsonRows(
  source: RuleSource,
  at: JsonPath,
  rows: readonly Record<string, unknown>[],
  { columns }: Table,
): Row[] {
  const known = Object.keys(columns);
  return rows.map((row, index) => {
    const place = [...at, index];
    for (const name of Object.keys(row)) {
      if (!known.includes(name)) source.keyError([...place, name], unknownColumn(name, known));
    }
    const cells = Object.entries(row).map(
      ([name, value]) => [name, jsonCell(source, [...place, name], value)] as const,
    );
    return { ...jsonCell(source, place, row), cells: new Map(cells) };
  });
}

function csvRows(file: CsvSource, table: Table, columns: readonly TableColumn[]): Row[] | undefined {
  const [header, ...lines] = file.rows;
  if (file.faults.count > 0) return undefined;
  if (!header || lines.length === 0) {
    file.error(0, message('ruleFiles.headerAndRow'));
    return undefined;
  }
  if (!isFitHeader(file, header, Object.keys(table.columns))) return undefined;
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const before = file.faults.count;
  for (const [at, { text }] of header.entries()) {
    const type = types.get(text);
    const cells = lines.flatMap((line) => line[at] ?? []);
    if (type) checkColumn(file, cells, type);
  }
  if (file.faults.count > before) return undefined;
  return lines.map((line) => {
    const cells = line.flatMap((cell, index): [string, Cell][] => {
      const name = header[index]?.text;
      const type = types.get(name ?? '');
      if (name === undefined) file.error(cell.offset, message('ruleFiles.tooManyCells', { width: header.length }));
      return name === undefined || !type ? [] : [[name, csvCell(file, cell, cellValue(cell.text, type))]];
    });
    const start = line[0] ?? { text: '', offset: 0 };
    return { ...csvCell(file, start, undefined), cells: new Map(cells) };
  });
}

function isFitHeader(file: CsvSource, header: readonly CsvCell[], known: readonly string[]): boolean {
  const before = file.faults.count;
  const seen = new Set<string>();
  for (const { text, offset } of header) {
    if (!known.includes(text)) file.error(offset, unknownColumn(text, known));
    else if (seen.has(text)) file.error(offset, message('ruleFiles.columnTwice', { text }));
    seen.add(text);
  }
  const missing = known.filter((name) => !seen.has(name));
  if (missing.length > 0 && file.faults.count === before) {
    file.error(0, message('ruleFiles.headerLacks', { missing: missing.map((name) => `"${name}"`).join(', ') }));
  }
  return file.faults.count === before;
}

function unknownColumn(name: string, known: readonly string[]): Message {
  const fault = message('ruleFiles.noColumn', { name });
  if (!name.includes(';')) return didYouMean(fault, name, known);
  return joinMessages('semicolon', [fault, message('ruleFiles.commasBetween')]);
}
