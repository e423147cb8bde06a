import type { FieldError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { FieldKind } from '#base/query/fields';
import type { CheckedExt, CheckOptions, ExtDefinitions } from '#records/extensions/extDefinitions';
import { checkExtValue } from './checkExtValue';
import type { ExtField } from './extField';

/** Makes the extension definitions of an org from the fields of each model. Pure. */
export function makeExtDefinitions(fieldsOf: ReadonlyMap<string, readonly ExtField[]>): ExtDefinitions {
  return {
    check(model, ext, options) {
      const fields = fieldsOf.get(model);
      if (!fields || (ext === undefined && !options.isNew)) return { ext, faults: [] };
      return checkFields(fields, ext, options);
    },
    kindOf(model, name) {
      const found = fieldsOf.get(model)?.find(({ field }) => field === name);
      return found && kinds[found.type];
    },
  };
}

/** Without any extension field. */
export const noExtDefinitions = makeExtDefinitions(new Map());

/** Dates below `ext` are stored as text in one format, so that they compare the same with and without a definition. */
const kinds: Record<ExtField['type'], FieldKind> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  date: 'dateText',
  enum: 'string',
};

function checkFields(
  fields: readonly ExtField[],
  ext: Record<string, unknown> | undefined,
  { path = 'ext', ...options }: CheckOptions,
): CheckedExt {
  const known = new Set(fields.map(({ field }) => field));
  const faults: FieldError[] = Object.keys(ext ?? {})
    .filter((name) => !known.has(name))
    .map((name) => ({
      path: `${path}.${name}`,
      kind: 'additionalProperties',
      ...message('extensions.undefinedField'),
    }));
  // A field that is null is as if it was not sent.
  const values = Object.fromEntries(
    Object.entries(ext ?? {}).filter(([name, value]) => value !== null || !known.has(name)),
  );
  for (const field of fields) {
    const place = `${path}.${field.field}`;
    const value = values[field.field];
    if (value === undefined && field.required)
      faults.push({ path: place, kind: 'required', ...message('schema.required') });
    if (value === undefined) continue;
    const checked = checkExtValue(field, value, options);
    if ('kind' in checked) faults.push({ path: place, ...checked });
    else values[field.field] = checked.value;
  }
  return { ext: ext && values, faults };
}
