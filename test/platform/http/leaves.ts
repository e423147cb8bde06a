/** A value in an answer that is neither an object nor a list, with its path; positions in lists are left out. */
export interface Leaf {
  path: string;
  /** The same path with the positions in lists. */
  place: string;
  value: string | number | boolean;
}

/** Returns every leaf of a JSON answer. Empty objects, empty lists and null have none. */
export function leavesOf(value: unknown, path = '', place = ''): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((each, n) => leavesOf(each, path, below(place, String(n))));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, each]) => leavesOf(each, below(path, name), below(place, name)));
  }
  return isLeaf(value) ? [{ path, place, value }] : [];
}

function isLeaf(value: unknown): value is Leaf['value'] {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
