import { type FieldError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Mapping } from '#records/imports/mappingShape';

/**
 * Refuses a mapping that names a column twice, or sets a field twice: nobody could tell which of both holds.
 * @throws ServiceError 1200 naming each of them
 */
export function requireDistinct({ columns = [], constants = [] }: Mapping): void {
  const faults = [
    ...twins(columns.map(({ column }) => column.trim().normalize('NFC'))).map((n) => fault(`columns.${n}.column`)),
    ...twins(constants.map(({ field }) => field)).map((n) => fault(`constants.${n}.field`)),
  ];
  if (faults.length > 0) throw validationError(faults);
}

/** The positions of strings that occurred earlier. */
function twins(texts: readonly string[]): number[] {
  return texts.flatMap((text, index) => (texts.indexOf(text) === index ? [] : [index]));
}

function fault(path: string): FieldError {
  return { path, kind: 'unique', ...message('imports.mappedTwice') };
}
