import { malformed } from '../errors';
import { type CharSet, overlap, union } from './charSet';
import type { RegexNode } from './parseRegex';

/** The text a pattern is weighed for. */
export interface RegexSubject {
  /** Names the argument in messages. */
  where: string;
  /** Binary logarithm of the text's greatest length. */
  lengthBits: number;
}

/**
 * Weighs a pattern: the binary logarithm of the steps that matching it against the worst text may take from one place
 * of the text. Parts that follow each other multiply: each repetition may end anywhere, each choice doubles.
 * @throws ServiceError 1210 for a repetition within a repetition, or alternatives within one that can begin alike:
 *   both can take exponential time
 */
export function regexCostBits(nodes: readonly RegexNode[], subject: RegexSubject, isRepeated = false): number {
  return nodes.reduce((bits, node) => bits + bitsOf(node, subject, isRepeated), 0);
}

function bitsOf(node: RegexNode, subject: RegexSubject, isRepeated: boolean): number {
  if (node.type === 'repeat') return repeatBits(node, subject, isRepeated);
  return node.type === 'group' ? groupBits(node.alternatives, subject, isRepeated) : 0;
}

function repeatBits(
  { of, min, max }: RegexNode & { type: 'repeat' },
  subject: RegexSubject,
  isRepeated: boolean,
): number {
  if (isRepeated) throw malformed(`${subject.where} must not repeat within a repetition, such as (a+)+`);
  const inner = bitsOf(of, subject, max > 1);
  if (max > 1 && canBeEmpty(of)) throw malformed(`${subject.where} must not repeat what may be empty`);
  return inner + Math.min(Math.log2(max - min + 1), subject.lengthBits);
}

function groupBits(alternatives: readonly RegexNode[][], subject: RegexSubject, isRepeated: boolean): number {
  const isAmbiguous = overlap(alternatives.map(firstChars));
  if (isAmbiguous && isRepeated) {
    throw malformed(`${subject.where} must not repeat alternatives that can begin alike, such as (a|ab)*`);
  }
  const bits = Math.max(...alternatives.map((nodes) => regexCostBits(nodes, subject, isRepeated)));
  return bits + (isAmbiguous ? Math.log2(alternatives.length) : 0);
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
