import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { numberCell } from '#base/common/cells/cellNumbers';
import { byteOrderMark, csvLine, guarded } from '#base/common/cells/csvCell';
import { mapYielding } from '#base/common/yielding';
import { readYielding } from '#base/db/readYielding';
import type { Filter } from '#base/query/filter';
import { ofOrg } from '#base/query/read/read';
import type { Resource } from '#base/schema/resource';
import type { FileFormat } from '#exchange/imports/import';
import { lifetimeView } from '#records/members/lifetimeView';

/** What is exported. */
export interface Exporting {
  db: Connection;
  org: ObjectId;
  resource: Resource;
  filter: Filter;
  format: FileFormat;
  /** A CSV file begins with a byte order mark. */
  bom?: boolean;
  /** Completes records as their reads do. */
  present?: (records: Record<string, unknown>[]) => Promise<Record<string, unknown>[]>;
}

/** Records that are read at a time, and how long the database may take for them. */
const pageRecords = 500;
const pageMaxMs = 30_000;

/**
 * The records that a filter selects, as strings of some records each, in the order of their ids. So no record that is
 * there all the time is missing or doubled, however long the export takes.
 */
export async function* exportTexts(exporting: Exporting): AsyncGenerator<string, void, undefined> {
  const { resource, format, bom, present } = exporting;
  const isView = resource.path === lifetimeView;
  const columns = Object.keys(resource.answer.properties);
  if (format === 'csv') yield (bom ? byteOrderMark : '') + csvLine(columns);
  for await (const page of isView ? pagesOfView(exporting) : pagesById(exporting)) {
    const records = present ? await present(page) : page;
    const lines = await mapYielding(records, (each) => (format === 'csv' ? csvRecord(each, columns) : jsonLine(each)));
    if (lines.length > 0) yield lines.join('');
  }
}

/** Reads page by page, each from the last id of the page before. */
async function* pagesById(exporting: Exporting): AsyncGenerator<Page, void, undefined> {
  for (let after: ObjectId | undefined; ; ) {
    const cursor = find(exporting, after ? { _id: { $gt: after } } : {});
    const page = await readYielding<Page[number]>(cursor.sort({ _id: 1 }).limit(pageRecords));
    yield page;
    const last = page.at(-1);
    if (!last || page.length < pageRecords) return;
    after = last._id;
  }
}

/** Reads with one cursor: a view has no order that an index gives. */
async function* pagesOfView(exporting: Exporting): AsyncGenerator<Page, void, undefined> {
  const cursor = find(exporting, {}).batchSize(pageRecords);
  try {
    for (;;) {
      const page = await readYielding<Page[number]>(cursor, pageRecords);
      yield page;
      if (page.length < pageRecords) return;
    }
  } finally {
    await cursor.close();
  }
}

type Page = (Record<string, unknown> & { _id: ObjectId })[];

function find({ db, org, resource, filter }: Exporting, from: object) {
  const projection = Object.fromEntries(resource.hidden.map((name) => [name, 0] as const));
  const selected = { $and: [from, ofOrg(org, filter)] };
  return db.collection<Page[number]>(resource.path).find(selected as object, { projection, maxTimeMS: pageMaxMs });
}

function jsonLine(doc: object): string {
  return `${JSON.stringify(doc)}\n`;
}

function csvRecord(doc: Record<string, unknown>, columns: readonly string[]): string {
  return csvLine(columns.map((name) => exportCell(doc[name])));
}

/** The cell of a value: dates and ids as in JSON, numbers in digits, objects and lists as JSON, and strings guarded. */
function exportCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return guarded(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (typeof value === 'number') return numberCell(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
