import { message } from '#base/common/messages/message';
import { FileFault } from '../file/fileFault';
import { importLimits } from '../importLimits';
import type { KeyedRow } from './repeatedKeys';

/** A row with its number in the file, from 0. */
export type NumberedRow = KeyedRow & { n: number };

/**
 * Divides the rows of a file into batches, from a row on. The rows before a fault of the file are a batch too.
 * @throws FileFault when there are too many rows, or the file cannot be read further
 */
export async function* rowBatches(
  rows: AsyncIterable<KeyedRow>,
  from: number,
  batchRows: number = importLimits.batchRows,
): AsyncGenerator<NumberedRow[], void, undefined> {
  let batch: NumberedRow[] = [];
  let [n, begin] = [0, 0];
  let fault: FileFault | undefined;
  try {
    for await (const row of rows) {
      if (n >= importLimits.rowsMax) throw new FileFault(message('imports.tooManyRows', { max: importLimits.rowsMax }));
      if (n >= from) {
        batch.push({ ...row, n });
        const isFull = batch.length >= batchRows || row.end - begin >= importLimits.batchMaxBytes;
        if (isFull) {
          yield batch;
          batch = [];
        }
      }
      if (batch.length === 0) begin = row.end;
      n += 1;
    }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    fault = error;
  }
  if (batch.length > 0) yield batch;
  if (fault) throw fault;
}
