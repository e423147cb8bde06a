/** Fields of a record that are of the console, not of the service. */
const ofConsole = new Set(['id', 'etag']);

type Fields = Readonly<Record<string, unknown>>;

/** The fields that differ between what was read and what a form holds, with null for what was cleared. */
export function changesOf(before: Fields, after: Fields): Record<string, unknown> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed: Record<string, unknown> = {};
  for (const name of names) {
    if (ofConsole.has(name)) continue;
    const value = tidy(after[name]);
    if (!isSame(tidy(before[name]), value)) changed[name] = value ?? null;
  }
  return changed;
}

/** The values that a form holds, without fields that are empty. */
export function withoutEmpty(values: Fields): Record<string, unknown> {
  const kept = Object.entries(values).filter(([name]) => !ofConsole.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, tidy(value)]).filter(([, value]) => value !== undefined),
  );
}

/**
 * A value without empty parts: undefined for null, for an empty string, and for an object of which nothing is left.
 * Lists keep their elements, because their places matter.
 */
export function tidy(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (Array.isArray(value)) return value.map((each) => tidy(each) ?? (isFields(each) ? {} : null));
  if (!isFields(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, tidy(part)] as const);
  const kept = parts.filter(([, part]) => part !== undefined);
  return kept.length === 0 && parts.length > 0 ? undefined : Object.fromEntries(kept);
}

/** Tells whether two values of JSON are the same, whatever the order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || written(one) === written(other);
}

function written(value: unknown): string | undefined {
  return JSON.stringify(value, (_name, part: unknown) => (isFields(part) ? inOrder(part) : part));
}

function inOrder(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
