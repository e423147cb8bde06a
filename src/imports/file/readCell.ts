import { ambiguousNumber, decimalOf, wholeNumberOf } from '../../common/cellNumbers';
import { type FieldError, ServiceError } from '../../common/errors';
import { readJson } from '../../http/readBody';
import { integerMax } from '../../schema/atoms';
import { parseInstant } from '../../schema/instant';

/** What the cells of a column are. A `list` is a JSON text too, but one whose numbers people write by hand. */
export type CellKind = 'text' | 'whole' | 'decimal' | 'boolean' | 'instant' | 'day' | 'json' | 'list';

/** The value of a cell, or why it has none. */
export type ReadCell = { value: unknown } | { fault: Pick<FieldError, 'kind' | 'message'> };

/**
 * Reads a cell by what its column holds. A text that may mean something else is refused, and never taken for the
 * likelier value (decision 110).
 */
export function readCell(cell: string, kind: CellKind): ReadCell {
  return readers[kind](cell);
}

const readers: Readonly<Record<CellKind, (cell: string) => ReadCell>> = {
  text: readText,
  whole: (cell) => readWhole(cell.trim()),
  decimal: (cell) => readDecimal(cell.trim()),
  boolean: (cell) => readBoolean(cell.trim()),
  instant: readInstant,
  // Days are checked where the fields are.
  day: (cell) => ({ value: cell }),
  json: (cell) => readJsonText(cell),
  list: (cell) => readList(cell),
};

function fault(kind: string, message: string): ReadCell {
  return { fault: { kind, message } };
}

/** What a spreadsheet program makes of a long number: `4.00012E+15`. */
const shortened = [/^[+-]?\d[.,]\d+E\+\d{2,3}$/, /^[+-]?\dE\+\d{2,3}$/];

function readText(cell: string): ReadCell {
  if (!shortened.some((each) => each.test(cell))) return { value: cell };
  return fault(
    'format',
    `"${cell}" is a number that a spreadsheet has shortened; format the column as text, and save the file again`,
  );
}

function readWhole(text: string): ReadCell {
  const value = wholeNumberOf(text);
  if (value !== undefined) return { value };
  if (/^-?\d+$/.test(text)) return fault('type', `must be a whole number from -${integerMax} to ${integerMax}`);
  // Thousands that are set apart are what people mean most often.
  const [first = '', ...groups] = text.split(/[.,'\s]/);
  const isGrouped = /^-?\d{1,3}$/.test(first) && groups.every((each) => /^\d{3}$/.test(each));
  const meant = isGrouped ? first + groups.join('') : '1000';
  return fault('type', `must be a whole number of digits alone, such as ${shown(meant)}; "${shown(text)}" is not`);
}

function readDecimal(text: string): ReadCell {
  const ambiguous = ambiguousNumber(text);
  if (ambiguous !== undefined) return fault('type', ambiguous);
  const value = decimalOf(text);
  if (value !== undefined) return { value };
  return fault('type', `must be a number such as 12 or 12.5; "${shown(text)}" is not`);
}

function readBoolean(text: string): ReadCell {
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return { value: word === 'true' };
  return fault('type', `must be true or false; "${shown(text)}" is not`);
}

function readInstant(cell: string): ReadCell {
  if (parseInstant(cell)) return { value: cell };
  return fault('date', `must be a date such as 2026-01-31T13:45:00Z; "${shown(cell)}" is not`);
}

function readJsonText(cell: string): ReadCell {
  const text = cell.trim();
  if (!/^[[{]/.test(text)) return { value: cell };
  try {
    return { value: readJson(Buffer.from(text)) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return fault('json', error.message.replace(/^The body /, ''));
  }
}

const jsonTokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*/gi;

/** Programs write numbers of JSON in one way. `1.000` and `1e3` were made by a formula or by hand, and may be two. */
function readList(cell: string): ReadCell {
  for (const [token] of cell.matchAll(jsonTokens)) {
    if (token.startsWith('"')) continue;
    if (/e/i.test(token)) return fault('type', `must have numbers of digits alone; "${shown(token)}" is not`);
    const ambiguous = token.endsWith('0') ? ambiguousNumber(token) : undefined;
    if (ambiguous !== undefined) return fault('type', ambiguous);
  }
  return readJsonText(cell);
}

/** Enough of a text to find it. */
function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
