import { malformed } from '../errors';
import { type CharSet, overlap, union } from './charSet';
import { parseRegex, type RegexNode } from './parseRegex';
import { queryLimits } from './queryLimits';

/** Repetitions of a pattern: with n of them, a text of length L costs up to L^n steps. */
const repeatsMax = 4;
/** Optional parts and alternatives that begin alike: with n of them, a text costs up to 2^n times as much. */
const choicesMax = 8;

/**
 * Answers a pattern that is fit for the database: valid, short, and of bounded cost on any text. Refused are a
 * repetition within a repetition and alternatives within a repetition that can begin with the same character, either of
 * which can take exponential time.
 * @throws ServiceError 1210
 */
export function guardRegex(source: string, options: string, where: string): string {
  if (source.length > queryLimits.regexMaxLength) {
    throw malformed(`${where} must be a regular expression of at most ${queryLimits.regexMaxLength} characters`);
  }
  if (source.includes('\0')) throw malformed(`${where} must not hold the character NUL`);
  const cost: Cost = { where, repeats: 0, choices: 0 };
  for (const alternative of parseRegex(source, where, options.includes('x'))) weighAll(alternative, false, cost);
  if (cost.repeats > repeatsMax)
    throw malformed(`${where} must not repeat more than ${repeatsMax} times with *, + or {n,m}`);
  if (cost.choices > choicesMax) {
    throw malformed(`${where} must not hold more than ${choicesMax} optional parts or alternatives that begin alike`);
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

interface Cost {
  readonly where: string;
  repeats: number;
  choices: number;
}

function weighAll(nodes: readonly RegexNode[], isRepeated: boolean, cost: Cost): void {
  for (const node of nodes) weigh(node, isRepeated, cost);
}

function weigh(node: RegexNode, isRepeated: boolean, cost: Cost): void {
  if (node.type === 'repeat') weighRepeat(node, isRepeated, cost);
  if (node.type === 'group') weighGroup(node.alternatives, isRepeated, cost);
}

function weighRepeat({ of, min, max }: RegexNode & { type: 'repeat' }, isRepeated: boolean, cost: Cost): void {
  if (isRepeated) throw malformed(`${cost.where} must not repeat within a repetition, such as (a+)+`);
  if (max > 1 && max > min) cost.repeats += 1;
  if (max === 1 && min === 0) cost.choices += 1;
  weigh(of, max > 1, cost);
  if (max > 1 && canBeEmpty(of)) throw malformed(`${cost.where} must not repeat what may be empty`);
}

function weighGroup(alternatives: readonly RegexNode[][], isRepeated: boolean, cost: Cost): void {
  if (overlap(alternatives.map(firstChars))) {
    if (isRepeated) {
      throw malformed(`${cost.where} must not repeat alternatives that can begin alike, such as (a|ab)*`);
    }
    cost.choices += alternatives.length - 1;
  }
  for (const alternative of alternatives) weighAll(alternative, isRepeated, cost);
}

function canBeEmpty(node: RegexNode): boolean {
  if (node.type === 'chars') return false;
  if (node.type === 'assertion') return true;
  if (node.type === 'group') return node.alternatives.some((alternative) => alternative.every(canBeEmpty));
  return node.min === 0 || canBeEmpty(node.of);
}

function firstChars(nodes: readonly RegexNode[]): CharSet {
  const sets: CharSet[] = [];
  for (const node of nodes) {
    sets.push(firstCharsOf(node));
    if (!canBeEmpty(node)) break;
  }
  return union(sets);
}

function firstCharsOf(node: RegexNode): CharSet {
  if (node.type === 'chars') return node.set;
  if (node.type === 'assertion') return new Set();
  if (node.type === 'repeat') return firstCharsOf(node.of);
  return union(node.alternatives.map(firstChars));
}
