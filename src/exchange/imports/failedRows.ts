import type { Connection } from 'mongoose';
import { byteOrderMark, csvLine, guardedCell } from '#base/common/cells/csvCell';
import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { stringStream } from '#base/common/stringStream';
import { mapYielding } from '#base/common/yielding';
import { collectionOf } from '#base/db/collections';
import { readPathId } from '#platform/http/collection/readPathId';
import type { Answer, Request } from '#platform/http/route';
import { storedRecord } from '#platform/recordWrites/storedRecord';
import { type ImportError, importErrorResource } from '#records/imports/importError';
import { bomFault } from './bomArgument';
import { commentMark } from './file/readHeader';
import { type Import, importResource } from './import';
import { mediaTypes } from './startImport';

/** `GET /imports/{id}/errors`: the rows that failed, in the format of the file, each with its line and its faults. */
export async function readFailedRows(request: Request): Promise<Answer> {
  const id = readPathId(request);
  const job = await storedRecord(importResource, request, id);
  const bom = request.query.bom === 'true';
  const { format: formatName } = request.query;
  if (formatName !== undefined && formatName !== 'ndjson')
    throw malformed(message('exchange.formatValues', { formats: 'ndjson' }));
  const format = formatName ?? job.format;
  if (bom && format !== 'csv') throw malformed(bomFault);
  const name = `import-${id.toHexString()}-errors.${format}`;
  return {
    status: 200,
    body: await stringStream(failedRows(request.services.db, job, { bom, format })),
    headers: {
      'Content-Type': `${mediaTypes[format]}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  };
}

const pageRows = 500;

/**
 * The failed rows of an import as strings of some lines each. A corrected file may keep the columns with the faults.
 */
export async function* failedRows(
  db: Connection,
  job: Import,
  { bom = false, format = job.format } = {},
): AsyncGenerator<string, void, undefined> {
  // What an earlier import said of its failed rows is left out.
  const old = new Set((job.columns ?? []).flatMap((name, index) => (name.startsWith(commentMark) ? [index] : [])));
  const own = (cells: readonly string[]) => cells.filter((_cell, index) => !old.has(index));
  const header = csvLine([`${commentMark}line`, `${commentMark}fault`, ...own(job.columns ?? [])]);
  if (format === 'csv') yield (bom ? byteOrderMark : '') + header;
  for (let after = -1; ; ) {
    const page = await collectionOf(db, importErrorResource)
      .find({ org: job.org, import: job._id, row: { $gt: after } })
      .sort({ row: 1 })
      .limit(pageRows)
      .toArray();
    const rowOf = (error: ImportError) =>
      format === 'csv' ? csvRow(error, own(error.cells ?? [])) : jsonRow(error, job.columns);
    if (page.length > 0) yield (await mapYielding(page, rowOf)).join('');
    const last = page.at(-1);
    if (!last || page.length < pageRows) return;
    after = last.row;
  }
}

function errorWords({ errors }: ImportError): string {
  return errors.map(({ path, message, kind }) => `${path} ${message} (${kind})`.trim()).join('; ');
}

function csvRow(error: ImportError, cells: readonly string[]): string {
  return csvLine([String(error.line), ...[errorWords(error), ...cells].map(guardedCell)]);
}

function jsonRow(error: ImportError, columns: readonly string[] | undefined): string {
  const { line, errors, cells, text } = error;
  const about = {
    [`${commentMark}line`]: line,
    [`${commentMark}fault`]: errorWords(error),
    [`${commentMark}errors`]: errors,
  };
  return `${JSON.stringify({ ...about, ...(cells ? namedCells(cells, columns) : parseJsonRow(text)) })}\n`;
}

function namedCells(cells: readonly string[], columns: readonly string[] = []): object {
  const named = cells.map((cell, index) => [columns[index] ?? `${commentMark}${index + 1}`, cell] as const);
  return Object.fromEntries(named.filter(([name]) => !name.startsWith(commentMark)));
}

/** The fields of a row that was an object; of any other row its text. */
function parseJsonRow(text = ''): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith(commentMark)));
    }
  } catch {
    // The text of the row is shown.
  }
  return { [`${commentMark}row`]: text };
}
