import type { FieldShape } from './fieldShape';

/** What a new part of a rule begins with: the fields that it needs. */
export function emptyOf(shape: FieldShape): unknown {
  switch (shape.kind) {
    case 'text':
      return shape.values[0] ?? '';
    case 'number':
    case 'amount':
      return 1;
    case 'boolean':
      return true;
    case 'words':
    case 'list':
      return [];
    case 'free':
    case 'record':
      return {};
    case 'object':
      return Object.fromEntries(
        shape.fields.filter(({ isRequired }) => isRequired).map(({ name, shape: own }) => [name, emptyOf(own)]),
      );
    default:
      return shape satisfies never;
  }
}
