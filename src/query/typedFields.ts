import type { FieldKind, FieldTable } from './fields';

/** Tells how the values of an extension field are read, by what stands before `ext` and the field's name. */
export type ExtKind = (parent: string, name: string) => FieldKind | undefined;

/** The fields of a resource with those below `ext` that are defined read by their type. */
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

/** Only fields right below `ext` are defined; what a defined field holds has no fields of its own. */
function kindAt(segments: readonly string[], kindOf: ExtKind): FieldKind | undefined {
  const [parent, ext, name] = segments.length === 2 ? ['', ...segments] : segments;
  const isBelowExt = segments.length <= 3 && ext === 'ext';
  return isBelowExt && parent !== undefined && name !== undefined ? kindOf(parent, name) : undefined;
}
