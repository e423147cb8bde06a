import { type AST, RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp';
import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';

/** One step of a pattern: a character, a class or an assertion, with its repetition. */
export interface RegexStep {
  /** The text of the step for MongoDB, without its repetition. */
  text: string;
  /** The character that the step matches in any case, folded; absent for a class or assertion. */
  letter?: string;
  /** Comparisons per character. */
  weight: number;
  min: number;
  max: number;
}

/** The most alternatives of a pattern, after groups are multiplied out. */
const alternativesMax = 32;

/** The largest number in braces. */
const repeatMax = 1000;

const parser = new RegExpParser({ ecmaVersion: 2017 });

/**
 * Reads a pattern of the small grammar that reads allow: characters, classes and assertions. Only single characters and
 * classes may be repeated. The alternatives of groups are multiplied out, so the result has no nested groups.
 * @returns the alternatives, each a list of steps
 * @throws ServiceError 1210 naming the part that is refused, and what to write instead
 */
export function readRegex(source: string, where: string): RegexStep[][] {
  return readAlternatives(parse(source, where).alternatives, where);
}

function parse(source: string, where: string): AST.Pattern {
  // The flag u makes the parser strict. It also refuses a backslash before most punctuation, so these escapes are
  // rewritten.
  const strict = source.replace(/\\(?:([!"#%&',\-:;<=>@_`~ ])|.)/gsu, (whole, mark?: string) =>
    mark === undefined ? whole : `\\x${hex(mark)}`,
  );
  try {
    return parser.parsePattern(strict, 0, strict.length, { unicode: true });
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    const problem = error.message.slice(error.message.lastIndexOf(': ') + 2);
    throw malformed(message('query.noRegex', { where, problem }));
  }
}

function hex(char: string): string {
  return char.charCodeAt(0).toString(16).padStart(2, '0');
}

function readAlternatives(alternatives: readonly AST.Alternative[], where: string): RegexStep[][] {
  const rows = alternatives.flatMap(({ elements }) => readRow(elements, where));
  return withinLimit(rows, where);
}

function readRow(elements: readonly AST.Element[], where: string): RegexStep[][] {
  let rows: RegexStep[][] = [[]];
  for (const element of elements) {
    const next = readElement(element, where);
    rows = withinLimit(
      rows.flatMap((row) => next.map((steps) => [...row, ...steps])),
      where,
    );
  }
  return rows;
}

function withinLimit(rows: RegexStep[][], where: string): RegexStep[][] {
  if (rows.length <= alternativesMax) return rows;
  throw malformed(message('query.regexAlternatives', { where, max: alternativesMax }));
}

function readElement(element: AST.Element, where: string): RegexStep[][] {
  if (element.type === 'Group' || element.type === 'CapturingGroup') {
    return readAlternatives(element.alternatives, where);
  }
  if (element.type !== 'Quantifier') return [[readSingle(element, where)]];
  const { element: repeated, min, max } = element;
  if (repeated.type === 'Group' || repeated.type === 'CapturingGroup') {
    throw malformed(message('query.regexRepeatsGroup', { where, part: element.raw }));
  }
  if (min > repeatMax || (max > repeatMax && max < Number.POSITIVE_INFINITY)) {
    throw malformed(message('query.regexRepeats', { where, part: element.raw, max: repeatMax }));
  }
  return [[{ ...readSingle(repeated, where), min, max }]];
}

function readSingle(element: AST.Element, where: string): RegexStep {
  const once = { weight: 1, min: 1, max: 1 };
  if (element.type === 'Character') {
    return { ...once, text: charText(element, where), ...letterWeight(element.value) };
  }
  if (element.type === 'CharacterClass') {
    return { ...once, text: classText(element, where), weight: classWeight(element) };
  }
  if (element.type === 'CharacterSet' && element.kind !== 'property') return { ...once, text: element.raw };
  if (element.type !== 'Assertion') throw malformed(message('query.regexUnknown', { where, part: element.raw }));
  if (element.kind === 'lookahead' || element.kind === 'lookbehind') {
    throw malformed(message('query.regexLooksAround', { where, part: element.raw }));
  }
  return { ...once, text: element.raw, weight: element.kind === 'word' ? 2 : 1 };
}

/**
 * Writes a character so that it always stands for itself. PCRE gives more escaped letters a meaning than JavaScript.
 */
function charText(character: AST.Character, where: string): string {
  const { value } = character;
  const isFit = value >= 0x20 || (value >= 0x09 && value <= 0x0d);
  if (!isFit || (value >= 0xd800 && value <= 0xdfff))
    throw malformed(message('query.regexNoCharacter', { where, part: character.raw }));
  const text = String.fromCodePoint(value);
  if (value < 0x20 || value === 0x7f) return `\\x${hex(text)}`;
  return value < 0x80 && /[^\w ]/.test(text) ? `\\${text}` : text;
}

function classText(node: AST.CharacterClass, where: string): string {
  if (node.elements.length === 0) throw malformed(message('query.regexEmptyClass', { where, part: node.raw }));
  const members = node.elements.map((member) => {
    if (member.type === 'Character') return charText(member, where);
    if (member.type === 'CharacterClassRange') return `${charText(member.min, where)}-${charText(member.max, where)}`;
    if (member.type === 'CharacterSet' && member.kind !== 'property') return member.raw;
    throw malformed(message('query.regexUnknownInClass', { where, part: member.raw }));
  });
  return `[${node.negate ? '^' : ''}${members.join('')}]`;
}

/** The cost of a class: PCRE looks up ASCII in a table, and compares all other members one by one, in both cases. */
function classWeight({ elements }: AST.CharacterClass): number {
  const beyondAscii = elements.filter(({ raw }) => /[^\0-\x7f]|\\[ux]/u.test(raw)).length;
  return 1 + 1.5 * beyondAscii;
}

/**
 * Folds a character, so that characters that PCRE may treat as equal have the same letter. A letter has two forms in
 * most cases; k and s have three and cost more.
 */
function letterWeight(codePoint: number): Pick<RegexStep, 'letter' | 'weight'> {
  const letter = String.fromCodePoint(codePoint).toUpperCase().toLowerCase();
  return { letter, weight: codePoint < 0x80 && !/[ks]/.test(letter) ? 1 : 1.5 };
}
