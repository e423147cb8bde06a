import { isDayText } from '#base/calendar/windows';
import { ambiguousNumber, parseDecimal, parseWholeNumber, wholeProduct } from '#base/common/cells/cellNumbers';
import { isShortened, unguarded } from '#base/common/cells/csvCell';
import { type FieldError, ServiceError } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { integerMax } from '#base/schema/atoms';
import { parseInstant } from '#base/schema/instant';
import { readJson } from '#platform/http/body/readBody';
import type { Mapping } from '#records/imports/mappingShape';
import { dateIn, dayIn } from '../mapping/dateFormat';
import { withoutBody } from './ndjsonRows';

/**
 * What the cells of a column are. A `text` is an identifier, a name or a
 * word, whose white space at an end is cut; a `freeText` stays as it is. A `list` is a JSON text too, but one whose numbers
 * people write by hand.
 */
export type CellKind =
  | 'text'
  | 'freeText'
  | 'whole'
  | 'points'
  | 'amount'
  | 'decimal'
  | 'boolean'
  | 'instant'
  | 'day'
  | 'json'
  | 'list';

/** The value of a cell, or why it has none. */
export type ReadCell = { value: unknown } | { fault: Pick<FieldError, 'kind' | 'message'> };

/**
 * Reads a cell by what its column holds. An ambiguous cell is refused, and never taken for the likelier value (decision
 * 110).
 */
export function readCell(cell: string, kind: CellKind, forms: Mapping = {}): ReadCell {
  if (kind === 'freeText') return readText(cell);
  // White space does not count, not even within the guard.
  return kind === 'text' ? readText(cell.trim(), (text) => text.trim()) : readers[kind](unguarded(cell).trim(), forms);
}

const readers: Readonly<Record<Exclude<CellKind, 'text' | 'freeText'>, (cell: string, forms: Mapping) => ReadCell>> = {
  whole: (cell) => readWhole(cell),
  points: (cell, forms) => readMultiplied(cell, forms, forms.pointsFactor),
  amount: (cell, forms) => readMultiplied(cell, forms, forms.amountFactor),
  decimal: (cell, forms) => readDecimal(cell, forms),
  boolean: (cell) => readBoolean(cell),
  instant: readInstant,
  day: readDay,
  json: (cell) => readJsonText(cell),
  list: (cell) => readList(cell),
};

function fault(kind: string, what: Message): ReadCell {
  return { fault: { kind, ...what } };
}

function readText(cell: string, cut = (text: string) => text): ReadCell {
  if (!isShortened(cell)) return { value: cut(unguarded(cell)) };
  return fault('format', message('imports.shortenedNumber', { cell }));
}

function readWhole(text: string): ReadCell {
  const value = parseWholeNumber(text);
  if (value !== undefined) return { value };
  if (/^-?\d+$/.test(text)) return fault('type', message('imports.wholeNumberWithin', { max: integerMax }));
  // Thousands that are set apart are what people mean most often.
  const [first = '', ...groups] = text.split(/[.,'\s]/);
  const isGrouped = /^-?\d{1,3}$/.test(first) && groups.every((each) => /^\d{3}$/.test(each));
  const meant = isGrouped ? first + groups.join('') : '1000';
  return fault('type', message('imports.digitsAlone', { meant: shown(meant), text: shown(text) }));
}

function readDecimal(text: string, { decimalComma }: Mapping): ReadCell {
  const ambiguous = decimalComma === undefined ? ambiguousNumber(text) : undefined;
  if (ambiguous !== undefined) return fault('type', ambiguous);
  const value = parseDecimal(withPoint(text, decimalComma));
  if (value !== undefined) return { value };
  if (decimalComma) return fault('type', message('imports.numberWithComma', { text: shown(text) }));
  return fault('type', message('imports.numberWithPoint', { text: shown(text) }));
}

/**
 * The digits with a decimal point, without the thousands separator if the mapping says which one it is. Any other text
 * stays no number: `1.234` alone may be a decimal that was written with the other sign.
 */
function withPoint(text: string, decimalComma?: boolean): string {
  if (decimalComma === undefined) return text;
  const [apart, sign] = decimalComma ? ['.', ','] : [',', '.'];
  const whole = isSetApart(text, apart, sign) ? text.replaceAll(apart, '') : text;
  return whole.includes(apart) ? '' : whole.replace(sign, '.');
}

/** Whether thousands are set apart beyond doubt: in groups of three, of which there are several, or with decimals. */
function isSetApart(text: string, apart: string, sign: string): boolean {
  const [whole = '', ...fractions] = text.split(sign);
  const [first = '', ...groups] = whole.split(apart);
  const isGrouped = /^-?[1-9]\d{0,2}$/.test(first) && groups.every((each) => /^\d{3}$/.test(each));
  const isClear = groups.length > 1 || (groups.length === 1 && fractions.length > 0);
  return isGrouped && isClear && fractions.every((each) => /^\d+$/.test(each));
}

/** A whole number; where the mapping has a factor for such cells, a decimal that it makes a whole number. */
function readMultiplied(text: string, forms: Mapping, factor: number | undefined): ReadCell {
  if (factor === undefined) return readWhole(text);
  const read = readDecimal(text, forms);
  if ('fault' in read) return read;
  const value = wholeProduct(withPoint(text, forms.decimalComma), factor);
  if (value !== undefined) return { value };
  return fault('type', message('imports.noWholeNumber', { text: shown(text), factor }));
}

function readBoolean(text: string): ReadCell {
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return { value: word === 'true' };
  return fault('type', message('imports.trueOrFalse', { text: shown(text) }));
}

function readInstant(cell: string, forms: Mapping): ReadCell {
  const date = dateIn(cell.trim(), forms);
  if (date !== undefined) return { value: date };
  // Dates of bodies are understood beside the format, but for those with slashes: they may have day and month the other way.
  if (parseInstant(cell) && !(forms.dateFormat?.includes('/') && cell.includes('/'))) return { value: cell };
  if (forms.dateFormat !== undefined)
    return fault('date', message('imports.dateAs', { dateFormat: forms.dateFormat, cell: shown(cell) }));
  return fault('date', message('imports.date', { cell: shown(cell) }));
}

function readDay(cell: string, forms: Mapping): ReadCell {
  const day = dayIn(cell.trim(), forms);
  if (day !== undefined) return { value: day };
  const { dateFormat } = forms;
  // Without a format, days are checked where the fields are.
  if (dateFormat === undefined || isDayText(cell)) return { value: cell };
  return fault('date', message('imports.dateAs', { dateFormat, cell: shown(cell) }));
}

function readJsonText(cell: string): ReadCell {
  const text = cell.trim();
  if (!/^[[{]/.test(text)) return { value: cell };
  try {
    return { value: readJson(Buffer.from(text)) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return fault('json', withoutBody(error));
  }
}

const jsonTokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*/gi;

/** Programs write numbers of JSON in one way. `1.000` and `1e3` were made by a formula or by hand, and may be two. */
function readList(cell: string): ReadCell {
  for (const [token] of cell.matchAll(jsonTokens)) {
    if (token.startsWith('"')) continue;
    if (/e/i.test(token)) return fault('type', message('imports.numbersOfDigits', { token: shown(token) }));
    const ambiguous = token.endsWith('0') ? ambiguousNumber(token) : undefined;
    if (ambiguous !== undefined) return fault('type', ambiguous);
  }
  return readJsonText(cell);
}

/** Enough of a text to find it. */
function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
