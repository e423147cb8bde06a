import type { FieldKind, FieldTable } from './fields';

/**
 * Returns the kind of an extension field by its name and by the path before `ext`; undefined when it is not defined.
 */
export type ExtKind = (parent: string, name: string) => FieldKind | undefined;

/** Adds the types of defined extension fields to the fields of a resource. */
export function typedFields(fields: FieldTable, kindOf: ExtKind): FieldTable {
  return {
    find(path) {
      const field = fields.find(path);
      const kind = field?.kind === 'free' ? kindAt(path.split('.'), kindOf) : undefined;
      return field && kind ? { ...field, kind } : field;
    },
    below: (field) =>
      typedFields(fields.below(field), (parent, name) => kindOf(parent === '' ? field.path : parent, name)),
  };
}

/** Only fields directly below `ext` can be defined. Paths further down have no type. */
function kindAt(segments: readonly string[], kindOf: ExtKind): FieldKind | undefined {
  // `lineItems.0.ext.name` has the type of `lineItems.ext.name`.
  const steps = /^\d+$/.test(segments[1] ?? '') ? [segments[0], ...segments.slice(2)] : segments;
  const [parent, ext, name] = steps.length === 2 ? ['', ...steps] : steps;
  const isBelowExt = steps.length <= 3 && ext === 'ext';
  return isBelowExt && parent !== undefined && name !== undefined ? kindOf(parent, name) : undefined;
}
