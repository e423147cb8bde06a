/** The schema of objects with a field. */
export function having(field: string) {
  return { type: 'object', properties: { [field]: {} }, required: [field] };
}

/**
 * JSON Schema's `if`/`then`/`else`. Its faults name only the wrong field; `anyOf` would list the faults of every
 * alternative.
 */
export function ifThenElse<T extends object, E extends object>(test: object, then: T, otherwise?: E) {
  return { if: test, then, ...(otherwise === undefined ? {} : { else: otherwise }) };
}
