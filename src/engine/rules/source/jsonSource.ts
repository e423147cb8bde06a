import { findNodeAtLocation, type Node, ParseErrorCode, parseTree, visit } from 'jsonc-parser';
import { isUnfitText } from '#base/schema/textFaults';
import { FaultList } from './faultList';
import type { JsonPath, RuleFile, RuleSource, SourcePosition } from './ruleSource';
import { TextPositions } from './textPositions';

/** Maximum depth of a rule file. Conditions of 32 levels need about 70. */
const jsonDepthMax = 100;

/** Maximum number of values of a file. 1 MB of rules has about 50,000. */
const valuesMax = 100_000;

/** Maximum number of objects of a file. A comparison takes about 70 characters, so 1 MB of rules has about 15,000. */
const objectsMax = 20_000;

/** Maximum number of names of one object: far more than any field needs. */
const namesMax = 1000;

/** Maximum size of a rule file, in bytes. */
export const fileMaxBytes = 1_048_576;

/** A rule file with the position of each of its values, and the faults found in it so far. */
export class JsonSource implements RuleSource {
  readonly faults = new FaultList();
  /** The file's JSON value; undefined when the file cannot be read as JSON or exceeds a maximum. */
  readonly value: unknown;
  private readonly root: Node | undefined;
  private readonly text: string;
  private readonly places: TextPositions;
  private isOverloaded = false;

  constructor(readonly file: RuleFile) {
    // Names are compared in this form.
    this.text = file.text.replace(/^\uFEFF/, '').normalize('NFC');
    this.places = new TextPositions(file.path, this.text);
    if (!this.isReadable()) return;
    if (this.text.trim() === '') {
      this.errorAt(0, 'the file is empty; a list of no rules is []');
      return;
    }
    const { value, isJson } = this.parsed();
    if (!isJson) return;
    this.root = parseTree(this.text, [], strict);
    if (this.root) this.checkNode(this.root);
    // An object with too many names would take long to check, and it is no valid rule.
    if (!this.isOverloaded) this.value = value;
  }

  get faultCount(): number {
    return this.faults.count;
  }

  get isFull(): boolean {
    return this.faults.isFull;
  }

  error(path: JsonPath, message: string): void {
    this.errorAt(this.offsetOf(path), message);
  }

  keyError(path: JsonPath, message: string): void {
    this.errorAt(this.keyOffset(path), message);
  }

  warning(path: JsonPath, message: string): void {
    this.faults.warning({ ...this.placeOf(path), message });
  }

  placeOf(path: JsonPath): SourcePosition {
    return this.places.at(this.offsetOf(path));
  }

  private errorAt(offset: number, message: string): void {
    this.faults.error({ ...this.places.at(offset), message });
  }

  private offsetOf(path: JsonPath): number {
    return this.nodeAt(path)?.offset ?? 0;
  }

  private isReadable(): boolean {
    if (Buffer.byteLength(this.text) > fileMaxBytes) {
      this.errorAt(0, 'is larger than 1 MB; split it into several files');
      return false;
    }
    const beyond = firstBeyondBounds(this.text);
    if (beyond) this.errorAt(beyond.offset, beyond.message);
    return beyond === undefined;
  }

  /** Uses `JSON.parse`, since jsonc-parser would set `__proto__` of objects; that one only locates a syntax fault. */
  private parsed(): { value?: unknown; isJson: boolean } {
    try {
      return { value: JSON.parse(this.text), isJson: true };
    } catch {
      const { offset, error } = firstSyntaxError(this.text);
      this.errorAt(offset, (error === undefined ? undefined : syntaxMessages[error]) ?? 'is not valid JSON');
      return { isJson: false };
    }
  }

  /** Reports what JSON allows and rules do not: duplicate names, too large numbers, texts with control characters. */
  private checkNode(node: Node): void {
    if (node.type === 'number' && !Number.isFinite(node.value)) {
      this.errorAt(node.offset, `${this.textOf(node)} is too large for a number`);
    }
    if (node.type === 'string' && isUnfitText(String(node.value))) this.errorAt(node.offset, unfitMessage);
    const children = node.children ?? [];
    if (node.type === 'object' && children.length > namesMax) {
      this.isOverloaded = true;
      this.errorAt(node.offset, `holds ${children.length} names; an object has at most ${namesMax}`);
      return;
    }
    const seen = new Set<string>();
    for (const child of children) {
      const [name, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
      if (name && seen.has(name.value)) this.errorAt(name.offset, `"${name.value}" stands here twice`);
      if (name && isUnfitText(name.value)) this.errorAt(name.offset, unfitMessage);
      if (name) seen.add(name.value);
      if (value) this.checkNode(value);
    }
  }

  private textOf({ offset, length }: Node): string {
    return this.text.slice(offset, offset + length);
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
    return property?.type === 'property' ? property.offset : this.offsetOf(path);
  }
}

const unfitMessage = 'this text holds a control character or a lone surrogate, which no text may';

const strict = { disallowComments: true, allowTrailingComma: false } as const;

/** The offset of the first syntax fault. Later faults are usually only its consequences. */
function firstSyntaxError(text: string): { offset: number; error?: ParseErrorCode } {
  const found = new SyntaxFault();
  try {
    visit(text, { onError: (error, offset) => found.stop(error, offset) }, strict);
  } catch (thrown) {
    if (thrown !== found) throw thrown;
  }
  return { offset: found.offset, ...(found.error === undefined ? {} : { error: found.error }) };
}

/** Thrown to end the visit at the first fault. */
class SyntaxFault extends Error {
  offset = 0;
  error: ParseErrorCode | undefined;

  stop(error: ParseErrorCode, offset: number): never {
    this.error = error;
    this.offset = offset;
    throw this;
  }
}

/** The first bracket or comma beyond a maximum. One pass, without recursion or backtracking: safe for any input. */
function firstBeyondBounds(text: string): { offset: number; message: string } | undefined {
  let depth = 0;
  let commas = 0;
  let objects = 0;
  let isText = false;
  for (let offset = 0; offset < text.length; offset += 1) {
    const character = text[offset];
    if (character === '"') isText = !isText;
    else if (isText && character === '\\') offset += 1;
    else if (isText) continue;
    else if (character === ',') commas += 1;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (!isText && character === '{') objects += 1;
    if (objects > objectsMax)
      return { offset, message: `holds more than ${objectsMax} objects; split it into several files` };
    if (depth > jsonDepthMax) return { offset, message: `nests deeper than ${jsonDepthMax} levels` };
    if (commas >= valuesMax)
      return { offset, message: `holds more than ${valuesMax} values; split it into several files` };
  }
  return undefined;
}

const syntaxMessages: Partial<Record<ParseErrorCode, string>> = {
  [ParseErrorCode.InvalidSymbol]: 'JSON has no such word; texts stand in double quotes',
  [ParseErrorCode.InvalidNumberFormat]: 'this is not a JSON number',
  [ParseErrorCode.PropertyNameExpected]: 'a name in double quotes must stand here (a comma too many before it?)',
  [ParseErrorCode.ValueExpected]: 'a value must stand here (a comma too many before it?)',
  [ParseErrorCode.ColonExpected]: 'a colon is missing before this',
  [ParseErrorCode.CommaExpected]: 'a comma is missing before this',
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
