import { isDeepStrictEqual } from 'node:util';
import type { TProperties } from '@sinclair/typebox';
import { type FieldError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Doc, Resource } from '#base/schema/resource';
import type { RulesRead } from '#platform/orgs/writeRecord';
import type { OrgContext } from './writeContext';

/**
 * Refuses to delete or change a record when a rule in force, or a string of another record, names it and would then
 * name nothing.
 * @returns the rules that the write must rely on, when rules can name what changes
 * @throws ServiceError 1200, kind `inUse`, naming the rules
 */
export async function requireRulesStayValid<P extends TProperties>(
  { name: model }: Resource<P>,
  { before, after }: { before: Doc<P>; after?: object },
  { services, principal }: OrgContext,
): Promise<RulesRead | undefined> {
  const change = { org: principal.org, model, before, ...(after && { after }) };
  const { broken, seen } = await services.ruleSets.needsOf(change);
  // Without `seen`, nothing changes by which anything is named.
  const named = seen ? await services.usesByText(services, change) : [];
  const pathOf = (fields: object) => (after ? changedField(before, after, Object.keys(fields)) : '_id');
  const faults: FieldError[] = [
    ...broken.map(({ rule, fields }) => ({
      path: pathOf(fields),
      kind: 'inUse',
      ...message('refs.namedByRule', { rule }),
    })),
    ...named.map(({ by, named: { at, fields } }) => ({
      path: pathOf(fields),
      kind: 'inUse',
      ...message('refs.namedBy', { by, at }),
    })),
  ];
  const byText = new Map(faults.map((fault) => [`${fault.path} ${fault.message}`, fault]));
  if (byText.size > 0) throw validationError([...byText.values()]);
  return seen;
}

/** Returns the first field of these paths that the change alters, or of all: a def of another type loses its name too. */
function changedField(before: object, after: object, paths: readonly string[]): string {
  const fields = paths.map((path) => path.split('.')[0] ?? path);
  const isChanged = (name: string) => !isDeepStrictEqual(Reflect.get(before, name), Reflect.get(after, name));
  return fields.find(isChanged) ?? Object.keys(after).find(isChanged) ?? '_id';
}
