/** The dotted path of a field or list index inside the value at `path`. The path of the root is empty. */
export function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
