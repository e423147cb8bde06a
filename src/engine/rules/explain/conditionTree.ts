import type { Comparison, Condition } from '../language/condition';

/** What a language says of lists of conditions, and of a comparison in them. */
export interface TreeWords {
  all: string;
  any: string;
  not: string;
  empty: string;
  comparison(comparison: Comparison): string;
}

/** Conditions as indented lines of one language, in the order of the file. */
export function conditionTree(condition: Condition, words: TreeWords, indent = ''): string[] {
  if ('all' in condition) return listLines(condition.all, words.all, words, indent);
  if ('any' in condition) return listLines(condition.any, words.any, words, indent);
  if ('not' in condition) return [`${indent}- ${words.not}`, ...conditionTree(condition.not, words, `${indent}  `)];
  return [`${indent}- ${words.comparison(condition)}`];
}

function listLines(conditions: readonly Condition[], title: string, words: TreeWords, indent: string): string[] {
  if (conditions.length === 0) return [`${indent}- ${words.empty}`];
  const [only] = conditions;
  if (only && conditions.length === 1) return conditionTree(only, words, indent);
  return [`${indent}- ${title}`, ...conditions.flatMap((each) => conditionTree(each, words, `${indent}  `))];
}

/** Lines of conditions on one line. A line that announces others ends with a colon. */
export function onOneLine(lines: readonly string[]): string {
  return lines.reduce((text, line) => `${text}${text.endsWith(':') ? ' ' : '; '}${line}`);
}
