import type { ImportContext, ImportKind, PlannedRows } from '../kinds/importKind';
import { plannedRows } from './plannedRows';
import type { NumberedRow } from './rowBatches';

/** A batch of rows with what it needs, checked when that could be done ahead. */
export interface ReadyBatch {
  context: ImportContext;
  rows: NumberedRow[];
  planned?: PlannedRows;
}

/**
 * Checks batches of rows. Who reads them ahead has a batch checked while the one before is written, so a batch that shares
 * a key with the one before is not checked yet: it has to see what that one stored.
 */
export async function* plannedBatches(
  kind: ImportKind,
  batches: AsyncIterable<NumberedRow[]>,
  makeContext: () => Promise<ImportContext>,
): AsyncGenerator<ReadyBatch, void, undefined> {
  let before: ReadonlySet<unknown> = new Set();
  for await (const rows of batches) {
    const context = await makeContext();
    const keys = rowKeys(kind, rows);
    const isApart = kind.key !== undefined && !keys.some((key) => before.has(key));
    // A batch that cannot be checked now is checked, and divided or refused, when it is written.
    const planned = isApart ? await kind.plan(context, plannedRows(context, rows)).catch(() => undefined) : undefined;
    yield { context, rows, ...(planned ? { planned } : {}) };
    before = new Set(keys);
  }
}

function rowKeys({ key }: ImportKind, rows: readonly NumberedRow[]): unknown[] {
  return key === undefined ? [] : rows.flatMap(({ value }) => (value?.[key] === undefined ? [] : [value[key]]));
}
