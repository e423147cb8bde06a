import type { ImportRow } from '../kinds/importKind';
import type { NumberedRow } from './rowBatches';

/** The rows of a batch that could be read. */
export function readableOf(rows: readonly NumberedRow[]): ImportRow[] {
  return rows.flatMap(({ n, value, faults }) => (value && !faults ? [{ n, value }] : []));
}
