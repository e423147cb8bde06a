import type { ImportContext, ImportRow } from '../kinds/importKind';
import type { NumberedRow } from './rowBatches';

/** Whether a row of a dry run is tried after the earlier rows with its key, and not with its batch. */
export function isRepeated({ job }: Pick<ImportContext, 'job'>, { earlier, value, faults }: NumberedRow): boolean {
  return job.dryRun && earlier !== undefined && value !== undefined && !faults;
}

/** The rows of a batch that are planned together: those that could be read. */
export function plannedRows(context: Pick<ImportContext, 'job'>, rows: readonly NumberedRow[]): ImportRow[] {
  return rows.flatMap((row) => {
    const { n, line, kept, value } = row;
    return value && !row.faults && !isRepeated(context, row) ? [{ n, line, kept, value }] : [];
  });
}
