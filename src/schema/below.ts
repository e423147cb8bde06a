/** The dotted path of a field, or of a position in a list, below the value at a path; the root's path is empty. */
export function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
