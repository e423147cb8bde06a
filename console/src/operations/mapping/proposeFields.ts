import { fieldsCalled, plainName } from './columnWords';
import { type ImportFields, type ImportKind, isKnownColumn } from './importFields';

/** The field of a column that is not read. */
export const leftOut = '#';

/**
 * Proposes a field for each column of a file: by its name, else by its name without case, blanks and signs, else by what
 * people call it. No two columns get one field; a column that nothing is known of is left out.
 */
export function proposeFields(columns: readonly string[], kind: ImportKind, fields: ImportFields): Map<string, string> {
  const proposed = new Map<string, string>();
  const taken = new Set<string>();
  const give = (column: string, field: string | undefined) => {
    if (field === undefined || taken.has(field) || proposed.has(column)) return;
    proposed.set(column, field);
    taken.add(field);
  };
  const all = columns.filter((column) => column !== '');
  for (const column of all) if (isKnownColumn(column, fields)) give(column, column);
  const names = [...fields.forms.keys()];
  for (const column of all) {
    give(
      column,
      names.find((name) => !taken.has(name) && plainName(name) === plainName(column)),
    );
  }
  for (const column of all) {
    const called = fieldsCalled(column, kind).find((name) => fields.forms.has(name) && !taken.has(name));
    give(column, called ?? onlyPurse(column, kind, names));
  }
  for (const column of all) if (!proposed.has(column)) proposed.set(column, leftOut);
  return proposed;
}

/** Points of members are those of the purse, when the org has only one. */
function onlyPurse(column: string, kind: ImportKind, names: readonly string[]): string | undefined {
  const purses = names.filter((name) => name.startsWith('balance:'));
  const isPoints = ['points', 'balance', 'pointsbalance', 'punkte', 'punktestand', 'saldo', 'guthaben'].includes(
    plainName(column),
  );
  return kind === 'members' && isPoints && purses.length === 1 ? purses[0] : undefined;
}
