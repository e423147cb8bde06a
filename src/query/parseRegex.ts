import { anyChar, type CharSet, caseless } from './charSet';
import { charSet, parseCharClass, parseCharEscape } from './parseCharClass';
import { type RegexScanner, regexFault } from './regexScanner';

/** A part of a pattern. */
export type RegexNode =
  | { type: 'chars'; set: CharSet }
  | { type: 'assertion'; isStart: boolean }
  | { type: 'group'; alternatives: RegexNode[][] }
  | { type: 'repeat'; of: RegexNode; min: number; max: number };

/** Largest number in braces. */
const repeatMax = 100;

/**
 * Reads a pattern of the part of regular expressions that MongoDB (PCRE) and everybody else read alike: texts, `.`,
 * classes, `\d \w \s \b`, groups, alternatives, `* + ? {n,m}` and their lazy forms, `^ $`. Back-references, lookaround,
 * inline options and verbs are refused: what a pattern costs could not be told from its text.
 * @returns its alternatives
 * @throws ServiceError 1210 saying what is wrong and where
 */
export function parseRegex(source: string, where: string, isExtended: boolean): RegexNode[][] {
  const scanner: RegexScanner = { source, where, isExtended, at: 0 };
  const alternatives = parseAlternatives(scanner);
  if (scanner.at < source.length) throw regexFault(scanner, 'has a ) without (');
  return alternatives;
}

function parseAlternatives(scanner: RegexScanner): RegexNode[][] {
  const alternatives: RegexNode[][] = [[]];
  for (;;) {
    skipIgnored(scanner);
    const char = scanner.source[scanner.at];
    if (char === undefined || char === ')') return alternatives;
    if (char === '|') {
      scanner.at += 1;
      alternatives.push([]);
    } else {
      alternatives.at(-1)?.push(parseRepeat(scanner, parseAtom(scanner, char)));
    }
  }
}

function parseAtom(scanner: RegexScanner, char: string): RegexNode {
  if (char === '(') return parseGroup(scanner);
  if ('*+?{'.includes(char))
    throw regexFault(scanner, `has ${char} with nothing to repeat; write \\${char} for the character`);
  scanner.at += 1;
  if (char === '^' || char === '$') return { type: 'assertion', isStart: char === '^' };
  if (char === '.') return { type: 'chars', set: anyChar };
  if (char === '[') return { type: 'chars', set: parseCharClass(scanner) };
  if (char === '\\') return parseEscape(scanner);
  return { type: 'chars', set: caseless(charSet(char)) };
}

function parseGroup(scanner: RegexScanner): RegexNode {
  scanner.at += 1;
  if (scanner.source.startsWith('?:', scanner.at)) scanner.at += 2;
  else if (scanner.source[scanner.at] === '?') throw regexFault(scanner, 'may only group with ( ) and (?: )');
  const alternatives = parseAlternatives(scanner);
  if (scanner.source[scanner.at] !== ')') throw regexFault(scanner, 'has a ( without )');
  scanner.at += 1;
  return { type: 'group', alternatives };
}

function parseEscape(scanner: RegexScanner): RegexNode {
  const letter = scanner.source[scanner.at] ?? '';
  if (letter === 'b' || letter === 'B') {
    scanner.at += 1;
    return { type: 'assertion', isStart: false };
  }
  return { type: 'chars', set: caseless(parseCharEscape(scanner)) };
}

const counted = /\{(\d{1,3})(,?)(\d{0,3})\}/y;

function parseRepeat(scanner: RegexScanner, of: RegexNode): RegexNode {
  skipIgnored(scanner);
  const bounds = parseBounds(scanner);
  if (!bounds) return of;
  if (scanner.source[scanner.at] === '?') scanner.at += 1;
  skipIgnored(scanner);
  if (/[*+?{]/.test(scanner.source[scanner.at] ?? '')) throw regexFault(scanner, 'repeats a repetition');
  if (of.type === 'assertion') throw regexFault(scanner, 'repeats a place instead of characters');
  return { type: 'repeat', of, ...bounds };
}

function parseBounds(scanner: RegexScanner): { min: number; max: number } | undefined {
  const char = scanner.source[scanner.at] ?? '';
  const plain = bounds.get(char);
  if (plain) scanner.at += 1;
  if (plain || char !== '{') return plain;
  counted.lastIndex = scanner.at;
  const [whole = '', from = '', comma = '', to = ''] = counted.exec(scanner.source) ?? [];
  const min = Number(from);
  const unbounded = comma === '' ? min : Number.POSITIVE_INFINITY;
  const max = to === '' ? unbounded : Number(to);
  const isFit = whole !== '' && (comma !== '' || to === '') && min <= max && isRepeatable(min) && isRepeatable(max);
  if (!isFit) throw regexFault(scanner, `must write a repetition as {n,m} up to ${repeatMax}; write \\{ for the brace`);
  scanner.at += whole.length;
  return { min, max };
}

function isRepeatable(times: number): boolean {
  return times <= repeatMax || !Number.isFinite(times);
}

const bounds = new Map([
  ['*', { min: 0, max: Number.POSITIVE_INFINITY }],
  ['+', { min: 1, max: Number.POSITIVE_INFINITY }],
  ['?', { min: 0, max: 1 }],
]);

function skipIgnored(scanner: RegexScanner): void {
  const { source, isExtended } = scanner;
  while (isExtended && /^[\s#]$/.test(source[scanner.at] ?? '')) {
    const lineEnd = source[scanner.at] === '#' ? source.indexOf('\n', scanner.at) : scanner.at;
    scanner.at = lineEnd < 0 ? source.length : lineEnd + 1;
  }
}
