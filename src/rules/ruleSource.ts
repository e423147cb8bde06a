import { findNodeAtLocation, type Node, type ParseError, ParseErrorCode, parseTree } from 'jsonc-parser';
import type { RuleFault, RuleFile } from './readRules';

/** Where a value stands in a file: names and positions from the root. */
export type JsonPath = readonly (string | number)[];

/** Deepest nesting of a rule file; conditions of 32 levels need about 70. */
const jsonDepthMax = 100;

/** How many faults of a file are named; more tell nothing new. */
const faultsMax = 100;

/** Largest rule file. */
export const fileMaxBytes = 1_048_576;

/** A rule file with the position of each of its values, and the faults found in it so far. */
export class RuleSource {
  /** The first {@link faultsMax} faults. */
  readonly errors: RuleFault[] = [];
  /** How many faults were found, also those that are not kept. */
  faultCount = 0;
  readonly warnings: RuleFault[] = [];
  /** The file's JSON value; undefined when it is no JSON. */
  readonly value: unknown;
  private readonly root: Node | undefined;
  private readonly text: string;
  private readonly lineStarts: number[];

  constructor(readonly file: RuleFile) {
    this.text = file.text.replace(/^\uFEFF/, '');
    this.lineStarts = [0, ...[...this.text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    if (!this.isReadable()) return;
    const errors: ParseError[] = [];
    this.root = parseTree(this.text, errors, { disallowComments: true, allowTrailingComma: false });
    const first = errors[0];
    if (first) this.add(this.faultAt(first.offset, syntaxMessages[first.error] ?? 'is not valid JSON'));
    else this.value = this.parsed();
    if (this.root) this.checkKeys(this.root);
  }

  /** Adds a fault at a value, or at the nearest value around it when it is missing. */
  error(path: JsonPath, message: string): void {
    this.add(this.faultAt(this.nodeAt(path)?.offset ?? 0, message));
  }

  /** Adds a fault at the name of a property. */
  keyError(path: JsonPath, message: string): void {
    this.add(this.faultAt(this.keyOffset(path), message));
  }

  warning(path: JsonPath, message: string): void {
    this.warnings.push(this.faultAt(this.nodeAt(path)?.offset ?? 0, message));
  }

  private add(fault: RuleFault): void {
    this.faultCount += 1;
    if (this.errors.length < faultsMax) this.errors.push(fault);
  }

  private isReadable(): boolean {
    if (Buffer.byteLength(this.text) > fileMaxBytes) {
      this.add(this.faultAt(0, 'is larger than 1 MB; split it into several files'));
      return false;
    }
    const tooDeep = offsetBeyondDepth(this.text, jsonDepthMax);
    if (tooDeep !== undefined) this.add(this.faultAt(tooDeep, `nests deeper than ${jsonDepthMax} levels`));
    return tooDeep === undefined;
  }

  /** `JSON.parse`, since jsonc-parser would give `__proto__` its special meaning. */
  private parsed(): unknown {
    try {
      return JSON.parse(this.text);
    } catch {
      this.add(this.faultAt(0, 'is not valid JSON'));
      return undefined;
    }
  }

  private checkKeys(node: Node): void {
    const seen = new Set<string>();
    for (const child of node.children ?? []) {
      const [name, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
      if (name && seen.has(name.value)) this.add(this.faultAt(name.offset, `"${name.value}" stands here twice`));
      if (name) seen.add(name.value);
      if (value) this.checkKeys(value);
    }
  }

  private nodeAt(path: JsonPath): Node | undefined {
    if (!this.root) return undefined;
    for (let length = path.length; length > 0; length -= 1) {
      const node = findNodeAtLocation(this.root, path.slice(0, length));
      if (node) return node;
    }
    return this.root;
  }

  private keyOffset(path: JsonPath): number {
    const node = this.root && findNodeAtLocation(this.root, [...path]);
    const property = node?.parent;
    return property?.type === 'property' ? property.offset : (this.nodeAt(path)?.offset ?? 0);
  }

  private faultAt(offset: number, message: string): RuleFault {
    let line = this.lineStarts.findLastIndex((start) => start <= offset);
    if (line < 0) line = 0;
    return { file: this.file.path, line: line + 1, column: offset - (this.lineStarts[line] ?? 0) + 1, message };
  }
}

/** The first bracket that opens a level beyond the limit; one pass without recursion or backtracking. */
function offsetBeyondDepth(text: string, depthMax: number): number | undefined {
  let depth = 0;
  let isText = false;
  for (let offset = 0; offset < text.length; offset += 1) {
    const character = text[offset];
    if (character === '"') isText = !isText;
    else if (isText && character === '\\') offset += 1;
    else if (isText) continue;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > depthMax) return offset;
  }
  return undefined;
}

const syntaxMessages: Partial<Record<ParseErrorCode, string>> = {
  [ParseErrorCode.InvalidSymbol]: 'JSON has no such word; texts stand in double quotes',
  [ParseErrorCode.InvalidNumberFormat]: 'this is not a JSON number',
  [ParseErrorCode.PropertyNameExpected]: 'a name in double quotes must stand here (a comma too many before it?)',
  [ParseErrorCode.ValueExpected]: 'a value must stand here (a comma too many before it?)',
  [ParseErrorCode.ColonExpected]: 'a colon must stand here',
  [ParseErrorCode.CommaExpected]: 'a comma must stand here',
  [ParseErrorCode.CloseBraceExpected]: 'a closing brace } must stand here',
  [ParseErrorCode.CloseBracketExpected]: 'a closing bracket ] must stand here',
  [ParseErrorCode.EndOfFileExpected]: 'the file must end here: it holds one rule, or one list of rules',
  [ParseErrorCode.InvalidCommentToken]: 'JSON has no comments; use the field description',
  [ParseErrorCode.UnexpectedEndOfComment]: 'JSON has no comments; use the field description',
  [ParseErrorCode.UnexpectedEndOfString]: 'this text has no closing quote',
  [ParseErrorCode.UnexpectedEndOfNumber]: 'this is not a JSON number',
  [ParseErrorCode.InvalidUnicode]: 'this is not a valid \\u escape',
  [ParseErrorCode.InvalidEscapeCharacter]: 'this is not a valid escape; a backslash itself is written \\\\',
  [ParseErrorCode.InvalidCharacter]: 'this character must be escaped in a text',
};
