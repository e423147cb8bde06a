import type { Field } from '../schema/shape';

/** The values with which a form of these fields begins: what the schema gives; required objects with their own. */
export function initialOf(fields: readonly Field[]): Record<string, unknown> {
  const begun = fields.flatMap(({ name, shape, initial, isRequired }) => {
    if (initial !== undefined) return [[name, initial]];
    return shape.kind === 'object' && isRequired ? [[name, initialOf(shape.fields)]] : [];
  });
  return Object.fromEntries(begun);
}

/**
 * What an input of true or false begins with when the record has no value: what the schema gives, else nothing. A false
 * that nobody chose must not be sent: it may mean the opposite of nothing.
 */
export function untouchedFlag({ initial }: Pick<Field, 'initial'>): boolean | null {
  return typeof initial === 'boolean' ? initial : null;
}
