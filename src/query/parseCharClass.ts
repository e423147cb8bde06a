import { type CharSet, caseless, complement, escapedSet, rangeSet, union } from './charSet';
import { type RegexScanner, regexFault } from './regexScanner';

/** Reads a class such as `[a-z_]`, after its bracket. @throws ServiceError 1210 */
export function parseCharClass(scanner: RegexScanner): CharSet {
  const isNegated = scanner.source[scanner.at] === '^';
  if (isNegated) scanner.at += 1;
  // PCRE takes the first ] for a character, JavaScript for the end.
  if (scanner.source[scanner.at] === ']') throw regexFault(scanner, 'has an empty class []; write \\] for the bracket');
  const sets: CharSet[] = [];
  while (scanner.source[scanner.at] !== ']') sets.push(parseMember(scanner));
  scanner.at += 1;
  return caseless(isNegated ? complement(union(sets)) : union(sets));
}

/** Reads what follows a backslash, in a class or outside: a class escape, a control character, or punctuation. */
export function parseCharEscape(scanner: RegexScanner): CharSet {
  const letter = scanner.source[scanner.at] ?? '';
  const known = escapedSet(letter) ?? controls.get(letter);
  if (!known && !/^[\p{P}\p{S} ]$/u.test(letter)) throw regexFault(scanner, `must not hold ${`\\${letter}`}`);
  scanner.at += 1;
  return known ?? charSet(letter);
}

/** The set of one character. */
export function charSet(char: string): CharSet {
  return rangeSet(char.charCodeAt(0), char.charCodeAt(0));
}

const controls = new Map([
  ['t', charSet('\t')],
  ['n', charSet('\n')],
  ['r', charSet('\r')],
  ['f', charSet('\f')],
]);

function parseMember(scanner: RegexScanner): CharSet {
  const char = scanner.source[scanner.at];
  if (char === undefined) throw regexFault(scanner, 'has a [ without ]');
  if (char === '[') throw regexFault(scanner, 'must write [ within a class as \\[');
  scanner.at += 1;
  if (char === '\\') return parseCharEscape(scanner);
  return parseRange(scanner, char);
}

function parseRange(scanner: RegexScanner, first: string): CharSet {
  const last = scanner.source[scanner.at + 1];
  const isRange = scanner.source[scanner.at] === '-' && last !== undefined && last !== ']';
  if (!isRange) return charSet(first);
  const isFit = last !== '\\' && last !== '[' && first.charCodeAt(0) <= last.charCodeAt(0);
  if (!isFit) throw regexFault(scanner, 'has a range that does not go from a lower character to a higher one');
  scanner.at += 2;
  return rangeSet(first.charCodeAt(0), last.charCodeAt(0));
}
