import { findNodeAtLocation, type Node, ParseErrorCode, parseTree, visit } from 'jsonc-parser';
import { type Message, message, pickMessage } from '#base/common/messages/message';
import { hasControlCharacters } from '#base/schema/textFaults';
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
      this.errorAt(0, message('ruleFiles.empty'));
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

  error(path: JsonPath, fault: Message): void {
    this.errorAt(this.offsetOf(path), fault);
  }

  keyError(path: JsonPath, fault: Message): void {
    this.errorAt(this.keyOffset(path), fault);
  }

  warning(path: JsonPath, fault: Message): void {
    this.faults.warning({ ...this.placeOf(path), ...fault });
  }

  placeOf(path: JsonPath): SourcePosition {
    return this.places.at(this.offsetOf(path));
  }

  private errorAt(offset: number, fault: Message): void {
    this.faults.error({ ...this.places.at(offset), ...fault });
  }

  private offsetOf(path: JsonPath): number {
    return this.nodeAt(path)?.offset ?? 0;
  }

  private isReadable(): boolean {
    if (Buffer.byteLength(this.text) > fileMaxBytes) {
      this.errorAt(0, message('ruleFiles.tooLarge'));
      return false;
    }
    const beyond = firstBeyondBounds(this.text);
    if (beyond) this.errorAt(beyond.offset, pickMessage(beyond));
    return beyond === undefined;
  }

  /** Uses `JSON.parse`, since jsonc-parser would set `__proto__` of objects; that one only locates a syntax fault. */
  private parsed(): { value?: unknown; isJson: boolean } {
    try {
      return { value: JSON.parse(this.text), isJson: true };
    } catch {
      const { offset, error } = firstSyntaxError(this.text);
      this.errorAt(offset, (error === undefined ? undefined : syntaxMessages[error]) ?? message('ruleFiles.notJson'));
      return { isJson: false };
    }
  }

  /** Reports what JSON allows and rules do not: duplicate names, too large numbers, strings with control characters. */
  private checkNode(node: Node): void {
    if (node.type === 'number' && !Number.isFinite(node.value)) {
      this.errorAt(node.offset, message('ruleFiles.numberTooLarge', { number: this.textOf(node) }));
    }
    if (node.type === 'string' && hasControlCharacters(String(node.value))) this.errorAt(node.offset, unfitMessage);
    const children = node.children ?? [];
    if (node.type === 'object' && children.length > namesMax) {
      this.isOverloaded = true;
      this.errorAt(node.offset, message('ruleFiles.tooManyNames', { count: children.length, max: namesMax }));
      return;
    }
    const seen = new Set<string>();
    for (const child of children) {
      const [name, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
      if (name && seen.has(name.value))
        this.errorAt(name.offset, message('ruleFiles.nameTwice', { value: name.value }));
      if (name && hasControlCharacters(name.value)) this.errorAt(name.offset, unfitMessage);
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

const unfitMessage = message('ruleFiles.controlCharacter');

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
function firstBeyondBounds(text: string): (Message & { offset: number }) | undefined {
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
    if (objects > objectsMax) return { offset, ...message('ruleFiles.tooManyObjects', { max: objectsMax }) };
    if (depth > jsonDepthMax) return { offset, ...message('ruleFiles.tooDeep', { max: jsonDepthMax }) };
    if (commas >= valuesMax) return { offset, ...message('ruleFiles.tooManyValues', { max: valuesMax }) };
  }
  return undefined;
}

const syntaxMessages: Partial<Record<ParseErrorCode, Message>> = {
  [ParseErrorCode.InvalidSymbol]: message('json.noSuchWord'),
  [ParseErrorCode.InvalidNumberFormat]: message('json.noNumber'),
  [ParseErrorCode.PropertyNameExpected]: message('json.nameExpected'),
  [ParseErrorCode.ValueExpected]: message('json.valueExpected'),
  [ParseErrorCode.ColonExpected]: message('json.colonMissing'),
  [ParseErrorCode.CommaExpected]: message('json.commaMissing'),
  [ParseErrorCode.CloseBraceExpected]: message('json.braceMissing'),
  [ParseErrorCode.CloseBracketExpected]: message('json.bracketMissing'),
  [ParseErrorCode.EndOfFileExpected]: message('json.endExpected'),
  [ParseErrorCode.InvalidCommentToken]: message('json.noComments'),
  [ParseErrorCode.UnexpectedEndOfComment]: message('json.noComments'),
  [ParseErrorCode.UnexpectedEndOfString]: message('json.quoteMissing'),
  [ParseErrorCode.UnexpectedEndOfNumber]: message('json.noNumber'),
  [ParseErrorCode.InvalidUnicode]: message('json.unicodeEscape'),
  [ParseErrorCode.InvalidEscapeCharacter]: message('json.escape'),
  [ParseErrorCode.InvalidCharacter]: message('json.escapeNeeded'),
};
