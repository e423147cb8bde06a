import { fieldsCalled, plainName } from './columnWords';
import { type ImportFields, type ImportKind, isKnownColumn } from './importFields';

/** The field of a column that is not read. */
export const leftOut = '#';

/**
 * Proposes a field for each column of a file: by its name, else by its name without case, blanks and signs, else by what
 * people call it. No two columns get one field. A column that nothing is known of is left out, and so are columns with one
 * name, which the service refuses.
 */
export function proposeFields(columns: readonly string[], kind: ImportKind, fields: ImportFields): Map<string, string> {
  const proposed = new Map<string, string>();
  const taken = new Set<string>();
  const give = (column: string, field: string | undefined) => {
    if (field === undefined || taken.has(field) || proposed.has(column)) return;
    proposed.set(column, field);
    taken.add(field);
  };
  const twice = namedTwice(columns);
  const all = columns.filter((column) => column !== '' && !twice.includes(column));
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
    give(column, called ?? purseOf(column, kind, fields));
  }
  for (const column of columns) if (column !== '' && !proposed.has(column)) proposed.set(column, leftOut);
  return proposed;
}

/** The names that several columns have. */
export function namedTwice(columns: readonly string[]): string[] {
  return [...new Set(columns.filter((name, place) => name !== '' && columns.indexOf(name) !== place))];
}

/** Points of members without a purse belong to the only purse, or to the primary one. */
function purseOf(column: string, kind: ImportKind, { purse }: ImportFields): string | undefined {
  const isPoints = ['points', 'balance', 'pointsbalance', 'punkte', 'punktestand', 'saldo', 'guthaben'].includes(
    plainName(column),
  );
  return kind === 'members' && isPoints && purse !== undefined ? `balance:${purse}` : undefined;
}
