import { type FieldError, fieldErrorsMax } from '../common/errors';
import { below } from './below';

/**
 * Control characters but tab and newline, and surrogates without their other half: no database, log or terminal takes
 * them as they are (docs/design/http.md).
 */
const unfit = /[^\P{Control}\t\n]|\p{Surrogate}/u;

/** The control characters among them, as the class of a JSON Schema pattern; JSON of UTF-8 has no lone surrogates. */
export const unfitInPatterns = '\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F';

/** What every text matches, for documents. */
export const textPattern = `^[^${unfitInPatterns}]*$`;

/** Most characters of any text that a client sends, in an extension field too; most fields have a smaller bound. */
export const textMax = 1_048_576;

/** Most characters of the name of a field, where names are free. */
export const nameMax = 500;

/** Tells whether a text holds characters that no text of the service may hold. */
export function isUnfitText(text: string): boolean {
  return unfit.test(text);
}

/**
 * The texts of a JSON value that hold control characters or lone surrogates or are longer than any may be, names of fields
 * too; a name that is wrong is told by the path of what holds it, so that it does not come back.
 * @param value nests at most 32 deep
 */
export function textFaults(value: unknown): FieldError[] {
  const faults: FieldError[] = [];
  find(value, '', faults);
  return faults;
}

function find(value: unknown, path: string, faults: FieldError[]): void {
  if (typeof value === 'string') {
    const fault = faultOf(value, textMax);
    if (fault) faults.push({ ...fault, path });
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length && faults.length < fieldErrorsMax; index += 1) {
      if (isWorthALook(value[index])) find(value[index], below(path, String(index)), faults);
    }
  } else if (typeof value === 'object' && value !== null) findInFields(value, path, faults);
}

function findInFields(value: object, path: string, faults: FieldError[]): void {
  for (const name of Object.keys(value)) {
    if (faults.length >= fieldErrorsMax) return;
    const child: unknown = Reflect.get(value, name);
    const fault = faultOf(name, nameMax);
    if (fault) faults.push({ ...fault, path, message: `has a field whose name ${fault.message}` });
    else if (isWorthALook(child)) find(child, below(path, name), faults);
  }
}

/** Most texts are fit, and need no path. */
function isWorthALook(value: unknown): boolean {
  return typeof value === 'string' ? value.length > textMax || unfit.test(value) : typeof value === 'object';
}

function faultOf(text: string, max: number): Omit<FieldError, 'path'> | undefined {
  if (text.length > max) return { kind: 'maxLength', message: `must NOT have more than ${max} characters` };
  if (!unfit.test(text)) return undefined;
  return { kind: 'pattern', message: 'must hold no control characters but tab and newline, and no lone surrogates' };
}

const unfitEverywhere = new RegExp(unfit, 'gu');
const shownMax = 100;

/** A name that a client sent, as it may stand in the path of an error: fit, and at most 100 characters. */
export function shownName(name: string): string {
  return (name.length > shownMax ? `${name.slice(0, shownMax)}…` : name).replace(unfitEverywhere, '\uFFFD');
}
