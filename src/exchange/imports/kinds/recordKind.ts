import type { TProperties } from '@sinclair/typebox';
import { ServiceError } from '#base/common/errors';
import { mapAtOnce } from '#base/limits/semaphore';
import { byForm, comparable, soughtForms } from '#base/schema/findable';
import type { Doc, Resource } from '#base/schema/resource';
import { createReadRows } from '#platform/recordWrites/readRows';
import type { RecordWrites } from '#platform/recordWrites/recordWrites';
import { importLimits } from '../importLimits';
import { checkNew, checkOne } from './checkOne';
import type { ImportContext, ImportKind, ImportRow, Outcome } from './importKind';
import { importRowFields } from './rowFields';
import { inSession, writeInOrder } from './writeInOrder';

/** Makes the import of a catalog resource: a row creates the record with its key, or changes it. */
export function recordKind<P extends TProperties, B extends object>(
  writes: RecordWrites<P, B>,
  key: keyof P & string,
): ImportKind {
  const { resource, createBody } = writes;
  const { permissions } = resource;
  const readRows = createReadRows<B, P>(resource, createBody);
  const { check, writeAll } = rowWrites(writes, key);
  return {
    permissions: [permissions.create, permissions.update],
    sometimes: [],
    key,
    knownBy: key,
    model: resource.name,
    fields: importRowFields(resource, { required: [[key]] }),
    batchRows: importLimits.routeWritesMax,
    async plan(context, rows) {
      const bodies = await readRows(
        rows.map(({ value }) => value),
        context.definitions,
      );
      const known = await existing(context, resource, key, rows);
      const keyed = keyedRows(rows, key, bodies, known);
      const outcomes = await mapAtOnce(importLimits.checkedAtOnce, keyed, (row) => check(context, row));
      const isOfWrite = ({ isRepeated }: KeyedRow<Doc<P>, B>, index: number) =>
        isRepeated || outcomes[index] === 'created' || outcomes[index] === 'updated';
      if (!keyed.some(isOfWrite)) return { outcomes };
      return { outcomes, write: (session) => writeAll(inSession(context, session), keyed, outcomes) };
    },
  };
}

/** How rows of a resource are checked, and written one after the other. */
function rowWrites<P extends TProperties, B extends object>(writes: RecordWrites<P, B>, key: string) {
  type Row = KeyedRow<Doc<P>, B>;
  const { resource } = writes;
  const check = async (context: ImportContext, { body, value, previous }: Row): Promise<Outcome> => {
    if (previous) return checkOne(context, writes, previous, value);
    return body instanceof ServiceError ? body : checkNew(context, writes, body);
  };
  const write = async (context: ImportContext, { body, value, previous }: Row, outcome: Outcome): Promise<Outcome> => {
    if (outcome === 'created' && !(body instanceof ServiceError)) await writes.create(context, body);
    if (outcome === 'updated' && previous) await writes.update(context, previous._id, value);
    return outcome;
  };
  /** Writes a row whose key an earlier row of the transaction has, which may have created or changed its record. */
  const writeAgain = async (context: ImportContext, { previous: _stale, ...row }: Row): Promise<Outcome> => {
    const previous = (await existing(context, resource, key, [row])).get(comparable(String(row.value[key])));
    const fresh = previous ? { ...row, previous } : row;
    return write(context, fresh, await check(context, fresh));
  };
  const writeAll = async (context: ImportContext, rows: readonly Row[], outcomes: readonly Outcome[]) => {
    const written: Outcome[] = [];
    await writeInOrder(rows, async (row, index) => {
      const outcome = outcomes[index] ?? 'unchanged';
      written.push(row.isRepeated ? await writeAgain(context, row) : await write(context, row, outcome));
    });
    return written;
  };
  return { check, writeAll };
}

interface KeyedRow<T, B> extends ImportRow {
  /** What it would create, or why it cannot. */
  body: B | ServiceError;
  /** The record with its key. */
  previous?: T;
  /** An earlier row of the batch has its key. */
  isRepeated: boolean;
}

function keyedRows<T, B extends object>(
  rows: readonly ImportRow[],
  key: string,
  bodies: readonly (B | ServiceError)[],
  known: ReadonlyMap<string, T>,
): KeyedRow<T, B>[] {
  const seen = new Set<string>();
  return rows.map((row, index) => {
    const name = typeof row.value[key] === 'string' ? comparable(row.value[key]) : undefined;
    const previous = name === undefined ? undefined : known.get(name);
    const isRepeated = name !== undefined && seen.has(name);
    if (name !== undefined) seen.add(name);
    return { ...row, body: bodies[index] as B | ServiceError, isRepeated, ...(previous ? { previous } : {}) };
  });
}

async function existing<P extends TProperties>(
  { services, principal }: ImportContext,
  resource: Resource<P>,
  key: string,
  rows: readonly ImportRow[],
): Promise<Map<string, Doc<P>>> {
  const values = rows.flatMap(({ value }) => (typeof value[key] === 'string' ? soughtForms(value[key]) : []));
  const found = await services.db
    .collection(resource.path)
    .find({ org: principal.org, [key]: { $in: values } })
    .toArray();
  return byForm(found.map((doc) => [String(doc[key]), doc as unknown as Doc<P>]));
}
