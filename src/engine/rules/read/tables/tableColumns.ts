import { message } from '#base/common/messages/message';
import type { FactDefinition } from '../../format/factDefinition';
import { ruleShape } from '../../format/rule';
import type { Column, Table } from '../../format/tableShape';
import type { JsonPath, RuleSource } from '../../source/ruleSource';
import { type CellType, conditionCellType, fieldCellType } from './cellType';
import { fieldPath } from './fieldPath';

/** A column of a table, with the type of its cells. */
export type TableColumn = { name: string; at: JsonPath; type: CellType } & (
  | { kind: 'condition'; compares: Record<string, unknown> }
  | { kind: 'value'; field: JsonPath }
  | { kind: 'key' }
);

/** The columns of a table in the order of the file. A column with a fault is reported and left out. */
export function tableColumns(
  source: RuleSource,
  at: JsonPath,
  rule: object,
  { columns }: Table,
  facts: Record<string, FactDefinition>,
): TableColumn[] {
  const found = Object.entries(columns).flatMap(([name, column]) =>
    readTableColumn(source, { name, at: [...at, 'columns', name] }, rule, column, facts),
  );
  return withoutTwins(source, found);
}

type Named = Pick<TableColumn, 'name' | 'at'>;

function readTableColumn(
  source: RuleSource,
  named: Named,
  rule: object,
  column: Column,
  facts: Record<string, FactDefinition>,
): TableColumn[] {
  if ('key' in column) {
    if (!column.key) source.error([...named.at, 'key'], message('ruleFiles.keyColumn'));
    return [{ ...named, kind: 'key', type: { kind: 'text', isList: false } }];
  }
  if ('fact' in column) {
    const { type, ...compares } = column;
    const inferred = conditionCellType(facts, compares);
    return [{ ...named, kind: 'condition', compares, type: { ...inferred, ...(type && { kind: type }) } }];
  }
  const found = fieldPath(ruleShape, rule, column.set);
  if ('problem' in found) {
    source.error([...named.at, 'set'], found.problem);
    return [];
  }
  const inferred = fieldCellType(ruleShape, rule, found.field);
  return [{ ...named, kind: 'value', ...found, type: { ...inferred, ...(column.type && { kind: column.type }) } }];
}

/** Reports a second key column and a second column for one field: two such columns would contradict each other. */
function withoutTwins(source: RuleSource, columns: readonly TableColumn[]): TableColumn[] {
  const seen = new Map<string, string>();
  return columns.filter((column) => {
    if (column.kind === 'condition') return true;
    const target = column.kind === 'key' ? 'key' : JSON.stringify(column.field);
    const other = seen.get(target);
    if (other === undefined) seen.set(target, column.name);
    else source.error(column.at, message('ruleFiles.sameColumn', { other }));
    return other === undefined;
  });
}
