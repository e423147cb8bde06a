/**
 * The first characters of a cell that spreadsheet programs may take for a formula, also after apostrophes: a text that
 * begins with apostrophes before such a character gets one more, so that it can be told from a guarded one.
 */
const mayBeFormula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

const plainNumber = /^-?\d+$|^-?\d+\.\d+$/;

/** What a spreadsheet program makes of a long number (`4.00012E+15`), also after apostrophes. */
const shortened = [/^'*[+-]?\d[.,]\d+E\+\d{2,3}$/, /^'*[+-]?\dE\+\d{2,3}$/];

function looksShortened(cell: string): boolean {
  return shortened.some((each) => each.test(cell));
}

/** Whether a cell is a number that a spreadsheet program has shortened, so that its last digits are lost. */
export function isShortened(cell: string): boolean {
  return !cell.startsWith("'") && looksShortened(cell);
}

/**
 * Guards a text, so that a spreadsheet program shows it and does not compute it, and an import does not take it for a number
 * that one has shortened. {@link unguarded} undoes it.
 */
export function guarded(text: string): string {
  return mayBeFormula.test(text) || looksShortened(text) ? `'${text}` : text;
}

/** Takes back what {@link guarded} does to a text; every other text stays as it is. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && (mayBeFormula.test(cell) || looksShortened(cell)) ? cell.slice(1) : cell;
}

/** Takes the guard from a formula. A shortened number keeps it: only by it an import knows that a text is meant. */
export function unguardedFormula(cell: string): string {
  return looksShortened(cell) ? cell : unguarded(cell);
}

/**
 * Guards a cell of a file whose cells have no types: a number stays a number, and a shortened one is not made a text.
 */
export function guardedCell(cell: string): string {
  return plainNumber.test(cell) || looksShortened(cell) ? cell : guarded(cell);
}

/** The byte order mark, by which Excel knows that a file is UTF-8. */
export const byteOrderMark = '\uFEFF';

/** Writes a line of CSV (RFC 4180), which ends with a line feed. Cells that need it are quoted. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\n`;
}

function quoted(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
