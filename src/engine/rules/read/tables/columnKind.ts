import { ambiguousNumber, isNumber, parseDecimal } from '#base/common/cells/cellNumbers';
import { type Message, message } from '#base/common/messages/message';
import type { CellValue, ColumnKind } from '../../lookup/lookupTable';
import type { CellType } from './cellType';
import type { CsvCell, CsvSource } from './csvSource';

/** What a text looks like. */
export function kindOfText(text: string): ColumnKind {
  if (isNumber(text)) return 'number';
  return text === 'true' || text === 'false' ? 'boolean' : 'text';
}

const nouns: Record<ColumnKind, Message> = {
  text: message('words.aText'),
  number: message('words.aNumber'),
  boolean: message('words.trueOrFalse'),
};

/**
 * What the cells of a column are when nothing says it: the one kind that all of them look like. The first cell of
 * another kind than the first is a fault.
 */
export function columnKind(file: CsvSource, cells: readonly CsvCell[]): ColumnKind {
  const filled = cells.filter(({ text }) => text !== '');
  const [first] = filled;
  if (!first) return 'text';
  const kind = kindOfText(first.text);
  const other = filled.find(({ text }) => kindOfText(text) !== kind);
  if (!other) return kind;
  const { line } = file.placeOf(first.offset);
  const both = {
    text: other.text,
    kind: nouns[kindOfText(other.text)],
    first: first.text,
    line,
    firstKind: nouns[kind],
  };
  file.error(other.offset, message('ruleFiles.sayColumnType', both));
  return kind;
}

/** Reports the cells of a column that mix kinds, if nothing says its kind, and numbers that may be two. */
export function checkColumn(file: CsvSource, cells: readonly CsvCell[], { kind, isList }: CellType): void {
  if (kind === 'text' || kind === 'boolean') return;
  const parts = cells.flatMap(({ text, offset }) =>
    isList ? text.split('|').map((part) => ({ text: part.trim(), offset })) : [{ text, offset }],
  );
  const numbers = kind === 'any' && columnKind(file, parts) !== 'number' ? [] : parts;
  for (const { text, offset } of numbers) {
    const ambiguous = ambiguousNumber(text);
    if (ambiguous !== undefined) file.error(offset, ambiguous);
  }
}

/** The value of a cell of a column, or null for an empty one. A cell without such a value is a fault. */
export function typedCell(file: CsvSource, { text, offset }: CsvCell, kind: ColumnKind): CellValue {
  if (text === '') return null;
  if (kind === 'text') return text;
  const ambiguous = kind === 'number' ? ambiguousNumber(text) : undefined;
  if (ambiguous !== undefined) file.error(offset, ambiguous);
  else if (kindOfText(text) !== kind) file.error(offset, message('ruleFiles.cellIsNot', { text, kind: nouns[kind] }));
  return kind === 'number' ? (parseDecimal(text) ?? null) : text === 'true';
}
