import { isObject } from '../schema/fieldShape';

/** A decision table in a rule, as strings. */
export interface RuleTable {
  columns: string[];
  rows: string[][];
}

/** The rows that a rule has in itself; undefined when it has none, or its rows are in a CSV file. */
export function ruleTableOf(table: unknown): RuleTable | undefined {
  if (!isObject(table) || !isObject(table.columns) || !Array.isArray(table.rows)) return undefined;
  const columns = Object.keys(table.columns);
  const rows = table.rows.map((row: unknown) =>
    columns.map((column) => cellText(isObject(row) ? row[column] : undefined)),
  );
  return { columns, rows };
}

/** The CSV file beside the rule that has its rows. */
export function csvOf(table: unknown): string | undefined {
  return isObject(table) && typeof table.csv === 'string' ? table.csv : undefined;
}

/** A cell as a string: strings unchanged, all others as JSON; missing ones empty. */
export function cellText(cell: unknown): string {
  if (cell === undefined) return '';
  return typeof cell === 'string' && !looksLikeJson(cell) ? cell : JSON.stringify(cell);
}

/**
 * The cell of a typed text: numbers, booleans and JSON as such, everything else as a string; an empty text means a
 * missing cell.
 */
export function cellValue(text: string): unknown {
  if (text === '') return undefined;
  if (!looksLikeJson(text)) return text;
  return JSON.parse(text);
}

/**
 * A number is one only as JSON writes it: `1.000` and `1e3` stay strings, which the service refuses where it needs
 * numbers.
 */
function looksLikeJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value !== 'number' || String(value) === text;
  } catch {
    return false;
  }
}
