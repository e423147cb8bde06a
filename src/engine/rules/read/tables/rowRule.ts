import { createHash } from 'node:crypto';
import type { JsonPath } from '../../source/ruleSource';
import type { Row } from './cell';
import { withValue } from './fieldPath';
import { filledCells } from './filledCells';
import type { CellOrigin } from './rowSource';
import type { TableColumn } from './tableColumns';

/** The rule with the table, without the fields `table` and `tests`. */
export type Template = Readonly<Record<string, unknown>>;

/** Maximum length of a rule name, in characters. */
const nameMax = 200;

/** Makes the rule of a row, with the origins of its parts. `at` is the path of the table's rule in its file. */
export function rowRule(
  template: Template,
  columns: readonly TableColumn[],
  row: Row,
  at: JsonPath,
): { value: object; origins: CellOrigin[] } {
  const { conditions, origins } = rowConditions(template.conditions, columns, row, at);
  const keyColumn = columns.find(({ kind }) => kind === 'key');
  const cells = filledCells(
    columns.filter(({ kind }) => kind === 'condition'),
    row,
  );
  const name = `${template.name}: ${cells.map(([, value]) => String(value)).join(', ') || 'any'}`.slice(0, nameMax);
  const suffix = keyColumn ? String(row.cells.get(keyColumn.name)?.value) : hashCells(cells);
  let value: object = { ...template, key: `${template.key}-${suffix}`, name, conditions };
  origins.push({ part: ['key'], from: { cell: row.cells.get(keyColumn?.name ?? '') ?? row } });
  for (const column of columns) {
    const cell = row.cells.get(column.name);
    if (column.kind !== 'value' || cell?.value === undefined) continue;
    value = withValue(value, column.field, cell.value);
    origins.push({ part: column.field, from: { cell } });
  }
  return { value, origins: origins.sort((a, b) => b.part.length - a.part.length) };
}

/** A hash of the row's conditions only. The rule keeps its key when the row moves or its values change. */
function hashCells(cells: readonly [string, unknown][]): string {
  return createHash('sha256').update(JSON.stringify(cells)).digest('hex').slice(0, 10);
}

function rowConditions(own: unknown, columns: readonly TableColumn[], row: Row, at: JsonPath) {
  const shared = sharedConditions(own);
  const all = [...shared.conditions];
  const origins: CellOrigin[] = [];
  if (shared.isWrapped) origins.push({ part: ['conditions', 'all', 0], from: { path: [...at, 'conditions'] } });
  for (const column of columns) {
    const cell = row.cells.get(column.name);
    if (column.kind !== 'condition' || cell?.value === undefined) continue;
    const part = ['conditions', 'all', all.length];
    all.push({ ...column.compares, value: cell.value });
    origins.push({ part: [...part, 'value'], from: { cell } }, { part, from: { path: column.at } });
  }
  return { conditions: { all }, origins };
}

/** The conditions of the table's rule: the list of its `all`, or else the whole condition as one element. */
function sharedConditions(own: unknown): { conditions: readonly unknown[]; isWrapped: boolean } {
  if (own === undefined) return { conditions: [], isWrapped: false };
  const isList = typeof own === 'object' && own !== null && 'all' in own && Object.keys(own).length === 1;
  if (isList && Array.isArray(own.all)) return { conditions: own.all, isWrapped: false };
  return { conditions: [own], isWrapped: true };
}
