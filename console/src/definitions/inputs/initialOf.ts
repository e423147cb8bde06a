import type { Field } from '../schema/shape';

/** The values with which a form of these fields begins: what the schema gives; required objects with their own. */
export function initialOf(fields: readonly Field[]): Record<string, unknown> {
  const begun = fields.flatMap(({ name, shape, initial, isRequired }) => {
    if (initial !== undefined) return [[name, initial]];
    return shape.kind === 'object' && isRequired ? [[name, initialOf(shape.fields)]] : [];
  });
  return Object.fromEntries(begun);
}
