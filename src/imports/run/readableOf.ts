import type { ImportRow } from '../kinds/importKind';
import type { NumberedRow } from './rowBatches';

/** The rows of a batch that could be read. */
export function readableOf(rows: readonly NumberedRow[]): ImportRow[] {
  return rows.flatMap(({ n, value, fault }) => (value && !fault ? [{ n, value }] : []));
}
