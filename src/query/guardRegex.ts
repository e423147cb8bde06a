import { malformed } from '../errors';
import { parseRegex, type RegexNode } from './parseRegex';
import { queryLimits } from './queryLimits';
import { regexCostBits } from './regexCost';

/** A regular expression and what it is for. */
export interface RegexUse {
  source: string;
  /** Letters of `$options`. */
  options: string;
  /** Most characters of the texts it is matched against; absent when nothing bounds them. */
  maxLength?: number | undefined;
  /** Names the argument in messages. */
  where: string;
}

/** Longest text that a request can have stored where no schema bounds it: a whole body. */
const unboundedLength = 2 ** 20;

/**
 * Binary logarithm of the steps that matching one text may take, a fraction of a second. MongoDB stops a slow search
 * between documents only, so one match must be short by itself: measured, `a.*b` on one text of 100,000 characters
 * holds a thread for 85 s whatever `maxTimeMS` says.
 */
const costBitsMax = 25;

/**
 * Answers a pattern that is fit for the database: valid, short, and of bounded cost on any text of the field.
 * @throws ServiceError 1210
 */
export function guardRegex({ source, options, maxLength = unboundedLength, where }: RegexUse): string {
  if (source.length > queryLimits.regexMaxLength) {
    throw malformed(`${where} must be a regular expression of at most ${queryLimits.regexMaxLength} characters`);
  }
  if (source.includes('\0')) throw malformed(`${where} must not hold the character NUL`);
  const alternatives = parseRegex(source, where, options.includes('x'));
  const lengthBits = Math.log2(Math.max(maxLength, 2));
  const bits = Math.max(...alternatives.map((nodes) => regexCostBits(nodes, { where, lengthBits })));
  const placesBits = isAnchored(alternatives, options) ? 0 : lengthBits;
  if (bits + placesBits > costBitsMax) {
    throw malformed(`${where} could take too long: begin it with ^, and repeat less with *, +, ? and {n,m}`);
  }
  return source;
}

/**
 * Answers the options of a regular expression: each of i, m, s, x at most once.
 * @throws ServiceError 1210
 */
export function guardRegexOptions(options: unknown, where: string): string {
  const isFit =
    typeof options === 'string' && /^[imsx]{0,4}$/.test(options) && new Set(options).size === options.length;
  if (!isFit) throw malformed(`${where} must be a string of the letters i, m, s, x, each at most once`);
  return options;
}

/** Tells whether a match can begin at the start of the text only. */
function isAnchored(alternatives: readonly RegexNode[][], options: string): boolean {
  if (options.includes('m')) return false;
  return alternatives.every(([first]) => first?.type === 'assertion' && first.isStart);
}
