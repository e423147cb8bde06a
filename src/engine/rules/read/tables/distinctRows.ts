import { message } from '#base/common/messages/message';
import type { Row } from './cell';
import { filledCells } from './filledCells';
import type { TableColumn } from './tableColumns';

/** The rows with distinct keys. Every other row gets a fault that names the earlier row. */
export function distinctRows(columns: readonly TableColumn[], rows: readonly Row[]): Row[] {
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
