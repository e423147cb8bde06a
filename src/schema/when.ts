/**
 * JSON Schema's `if`/`then`/`else`. Faults then name the field that is wrong, where `anyOf` would list those of every
 * alternative.
 */
export function when<T extends object, E extends object>(test: object, then: T, otherwise?: E) {
  return { if: test, then, ...(otherwise === undefined ? {} : { else: otherwise }) };
}
