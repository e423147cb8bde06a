import type { TProperties } from '@sinclair/typebox';
import { validationError } from '../../common/errors';
import { collectionOf } from '../../db/collections';
import { createReadRows } from '../../http/collection/readRows';
import { createReadUpdate } from '../../http/collection/readUpdate';
import type { Doc, Resource } from '../../schema/resource';
import { checkOne } from './checkOne';
import type { ImportContext, ImportKind, ImportRow, Outcome } from './importKind';
import { rowFieldsOf } from './rowFields';
import { createOne, sideBySide, updateOne } from './writeOne';

/** Makes the import of a catalog resource: a row creates the record with its key, or changes it. */
export function recordKind<P extends TProperties>(resource: Resource<P>, key: keyof P & string): ImportKind {
  const { path, permissions } = resource;
  const readRows = createReadRows<object, P>(resource, resource.createBody);
  const readUpdate = createReadUpdate(resource, {});
  return {
    permissions: [permissions.create, permissions.update],
    sometimes: [],
    model: resource.name,
    fields: rowFieldsOf(resource, { required: [[key]] }),
    async plan(context, rows) {
      const known = await existing(context, resource, key, rows);
      const ordered = groupsByKey(rows, key);
      const outcomes = new Map<ImportRow, Outcome>();
      await sideBySide(ordered, async (some) => {
        for (const row of some) {
          outcomes.set(row, await importOne(context, row));
          if (some.length > 1) await remember(context, row.value[key]);
        }
      });
      return { outcomes: rows.map((row) => outcomes.get(row) ?? 'unchanged') };

      async function importOne(own: ImportContext, { value }: ImportRow): Promise<Outcome> {
        const previous = known.get(String(value[key]));
        if (previous) {
          return own.job.dryRun
            ? checkOne(own, { resource, readUpdate }, previous, value)
            : updateOne(own, `/${path}`, previous, value);
        }
        const [read] = await readRows([value], own.definitions);
        if (read === undefined || read instanceof Error) return read ?? validationError([]);
        return createOne(own, `/${path}`, read);
      }

      async function remember({ services, principal }: ImportContext, value: unknown) {
        const made = await collectionOf(services.db, resource).findOne({ org: principal.org, [key]: value } as never);
        if (made) known.set(String(value), made as unknown as Doc<P>);
      }
    },
  };
}

/** The rows by their key. Rows with one key are imported one after the other. */
function groupsByKey(rows: readonly ImportRow[], key: string): ImportRow[][] {
  const groups = new Map<string, ImportRow[]>();
  for (const row of rows) {
    const name = String(row.value[key]);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups.values()];
}

async function existing<P extends TProperties>(
  { services, principal }: ImportContext,
  resource: Resource<P>,
  key: string,
  rows: readonly ImportRow[],
): Promise<Map<string, Doc<P>>> {
  const asked = rows.flatMap(({ value }) => (typeof value[key] === 'string' ? [value[key]] : []));
  const found = await services.db
    .collection(resource.path)
    .find({ org: principal.org, [key]: { $in: asked } })
    .toArray();
  return new Map(found.map((doc) => [String(doc[key]), doc as unknown as Doc<P>]));
}
