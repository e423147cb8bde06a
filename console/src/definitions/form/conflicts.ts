import { changesOf } from '../../api/changes';
import type { FormTexts } from '../../i18n/formTexts';
import type { Field } from '../schema/shape';

/** Which value of a field is saved: the stored one, or the one of the form. */
export type Side = 'theirs' | 'mine';

/** A field with two values. */
export interface Conflict {
  name: string;
  texts: FormTexts | undefined;
  theirs: unknown;
  mine: unknown;
  /** Whose value is saved unless the user chooses: the user's own where they changed the field. */
  side: Side;
}

interface Versions {
  /** The record when the form was opened. */
  opened: Readonly<Record<string, unknown>>;
  stored: Readonly<Record<string, unknown>>;
  typed: Readonly<Record<string, unknown>>;
}

/** The fields of a form that differ between what is stored now and what was typed. */
export function conflictsOf(
  fields: readonly Pick<Field, 'name' | 'texts'>[],
  { opened, stored, typed }: Versions,
): Conflict[] {
  const own = Object.fromEntries(fields.map(({ name }) => [name, typed[name]]));
  const changed = changesOf(opened, { ...opened, ...own });
  const differing = changesOf(stored, { ...stored, ...own });
  return fields.flatMap(({ name, texts }) =>
    name in differing
      ? [
          {
            name,
            texts,
            theirs: stored[name],
            mine: own[name],
            side: name in changed ? 'mine' : 'theirs',
          },
        ]
      : [],
  );
}

/** The values that are saved over what is stored: the user's own, where their side was chosen. */
export function resolved(
  conflicts: readonly Conflict[],
  chosen: Readonly<Record<string, Side>>,
): Record<string, unknown> {
  return Object.fromEntries(
    conflicts.flatMap(({ name, mine, side }) => ((chosen[name] ?? side) === 'mine' ? [[name, mine]] : [])),
  );
}
