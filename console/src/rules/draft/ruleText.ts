import { type Edit, findNodeAtLocation, modify, type Node, parseTree } from 'jsonc-parser';

/** The text of one rule of a file, and what is around it. Every view edits only the text. */
export interface RuleText {
  /** The rule, with its lines moved to the left edge. */
  text: string;
  /** The file before and after the rule. */
  before: string;
  after: string;
  /** By how many characters the lines of the rule are indented in the file. */
  indent: number;
}

/** Finds the rule with a key in the text of a file; undefined when there is none, or the file is no JSON. */
export function ruleTextOf(file: string, key: string): RuleText | undefined {
  const root = parseTree(file);
  if (!root) return undefined;
  const entries = root.type === 'array' ? (root.children ?? []) : [root];
  const node = entries.find((entry) => textAt(entry, 'key') === key);
  if (!node) return undefined;
  const lineStart = file.lastIndexOf('\n', node.offset - 1) + 1;
  const indent = /^\s*/.exec(file.slice(lineStart))?.[0].length ?? 0;
  const text = file.slice(node.offset, node.offset + node.length);
  const own = Math.min(indent, leastIndent(text));
  return {
    text: text.replace(/\n([ \t]*)/g, (_line, space: string) => `\n${space.slice(own)}`),
    before: file.slice(0, node.offset),
    after: file.slice(node.offset + node.length),
    indent: own,
  };
}

/** The whole file, with the rule as it is now. */
export function fileTextOf({ text, before, after, indent }: RuleText): string {
  return `${before}${text.replace(/\n(?=.)/g, `\n${' '.repeat(indent)}`)}${after}`;
}

/** The line and column within the rule of a place in its file; undefined when it is outside of the rule. */
export function placeInRule(rule: RuleText, { line, column }: Place): Place | undefined {
  const above = rule.before.split('\n');
  const firstLine = above.length;
  const own = line - firstLine + 1;
  if (own < 1 || own > rule.text.split('\n').length) return undefined;
  const moved = own === 1 ? (above.at(-1)?.length ?? 0) : rule.indent;
  return { line: own, column: Math.max(1, column - moved) };
}

/** A place in a text. Lines and columns count from 1. */
export interface Place {
  line: number;
  column: number;
}

/** A change of a part of a rule: its path, and the new value; undefined removes it. */
export interface Change {
  path: (string | number)[];
  value: unknown;
}

/** The text with one part of it changed. Everything else stays as it is written. */
export function withChange(text: string, { path, value }: Change): string {
  const edits =
    (value === undefined && lastItemEdit(text, path)) ||
    modify(text, path, value, { formattingOptions: { insertSpaces: true, tabSize: 2 } });
  return [...edits]
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (changed, { offset, length, content }) =>
        `${changed.slice(0, offset)}${content}${changed.slice(offset + length)}`,
      text,
    );
}

/**
 * The edit that removes the last of several items of a list; undefined when the path is no such item. `modify` takes it
 * for granted that a line ends before the bracket, and leaves a part of an item that is on one line with it.
 */
function lastItemEdit(text: string, path: Change['path']): Edit[] | undefined {
  const root = parseTree(text);
  const node = root && typeof path.at(-1) === 'number' ? findNodeAtLocation(root, path) : undefined;
  const siblings = node?.parent?.children ?? [];
  const previous = siblings.at(-2);
  if (!node || !previous || siblings.at(-1) !== node) return undefined;
  const offset = previous.offset + previous.length;
  return [{ offset, length: node.offset + node.length - offset, content: '' }];
}

/** A new file with one rule. */
export function newRuleText(rule: object): RuleText {
  return { text: JSON.stringify(rule, null, 2), before: '', after: '\n', indent: 0 };
}

function textAt(node: Node, name: string): unknown {
  const found = findNodeAtLocation(node, [name]);
  return found?.type === 'string' ? found.value : undefined;
}

function leastIndent(text: string): number {
  const rest = text.split('\n').slice(1);
  const indents = rest.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  return indents.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...indents);
}
