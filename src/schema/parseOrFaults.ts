import { type FieldError, ServiceError } from '../common/errors';

/** What came of parsing: the value, or every failing field. */
export type Parsed<T> = { value: T } | { faults: readonly FieldError[] };

/** Runs a parser, for who has other faults to name beside those it finds. */
export function parseOrFaults<T>(parse: () => T): Parsed<T> {
  try {
    return { value: parse() };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { faults: error.details.errors ?? [] };
  }
}
