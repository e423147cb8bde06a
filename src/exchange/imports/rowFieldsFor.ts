import type { ExtDefinitions } from '#records/extensions/extDefinitions';
import type { RowFields } from './file/readHeader';
import type { ImportKind } from './kinds/importKind';

/** What a kind of import reads from a row in an org with these extension fields. */
export function rowFieldsFor({ fields, model }: ImportKind, definitions: ExtDefinitions): RowFields {
  return {
    ...fields,
    extKind: (field) => {
      const kind = definitions.kindOf(model, field);
      return kind === 'number' || kind === 'boolean' ? kind : undefined;
    },
  };
}
