import { type FieldError, fieldErrorsMax } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { joinPath } from './joinPath';

/**
 * Control characters except tab and newline, and lone surrogates. Databases, logs and terminals do not accept them
 * unchanged (docs/design/http.md).
 */
const unfit = /[^\P{Control}\t\n]|\p{Surrogate}/u;

/**
 * These control characters as a character class for JSON Schema patterns. UTF-8 JSON cannot contain lone surrogates.
 */
export const unfitInPatterns = '\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F';

/** The pattern that every string matches; for the OpenAPI document. */
export const textPattern = `^[^${unfitInPatterns}]*$`;

/** Most characters of any string from a client, also in extension fields. Most fields have a smaller limit. */
export const textMax = 1_048_576;

/** Most characters of a field name, in objects with free names. */
export const nameMax = 500;

/** Tells whether a string contains characters that the service refuses. */
export function hasControlCharacters(text: string): boolean {
  return unfit.test(text);
}

/**
 * Finds strings and field names in a JSON value that contain control characters or lone surrogates, or that are too
 * long. The fault of a field name has the path of its object, so that the response does not repeat the name.
 * @param value nests at most 32 deep
 */
export function textFaults(value: unknown): FieldError[] {
  const faults: FieldError[] = [];
  find(value, '', faults);
  return faults;
}

function find(value: unknown, path: string, faults: FieldError[]): void {
  if (typeof value === 'string') {
    const fault = textFault(value, textMax);
    if (fault) faults.push({ ...fault, path });
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length && faults.length < fieldErrorsMax; index += 1) {
      if (isWorthALook(value[index])) find(value[index], joinPath(path, String(index)), faults);
    }
  } else if (typeof value === 'object' && value !== null) findInFields(value, path, faults);
}

function findInFields(value: object, path: string, faults: FieldError[]): void {
  for (const name of Object.keys(value)) {
    if (faults.length >= fieldErrorsMax) return;
    const child: unknown = Reflect.get(value, name);
    const fault = textFault(name, nameMax);
    if (fault) {
      const { kind, ...text } = fault;
      faults.push({ kind, path, ...message('schema.fieldName', { fault: text }) });
    }
    if (!fault && isWorthALook(child)) find(child, joinPath(path, name), faults);
  }
}

/** Skips the values without a fault: most strings have none, so their paths need not be built. */
function isWorthALook(value: unknown): boolean {
  return typeof value === 'string' ? value.length > textMax || unfit.test(value) : typeof value === 'object';
}

function textFault(text: string, max: number): Omit<FieldError, 'path'> | undefined {
  if (text.length > max) return { kind: 'maxLength', ...message('schema.maxLength', { limit: max }) };
  if (!unfit.test(text)) return undefined;
  return { kind: 'pattern', ...message('schema.unfitCharacters') };
}

const unfitEverywhere = new RegExp(unfit, 'gu');
const shownMax = 100;

/** A name from a client, made safe for the path of an error: refused characters replaced, at most 100 characters. */
export function shownName(name: string): string {
  return (name.length > shownMax ? `${name.slice(0, shownMax)}…` : name).replace(unfitEverywhere, '\uFFFD');
}
