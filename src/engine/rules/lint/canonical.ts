import { createHash } from 'node:crypto';
import type { Condition } from '../language/condition';
import { readLiteral } from './literal';

/** A string that is equal for conditions that differ only in order, nesting or way of negation. */
export function canonical(condition: Condition, negated = false): string {
  if ('not' in condition) return canonical(condition.not, !negated);
  if ('fact' in condition) {
    const literal = readLiteral(condition, negated);
    return `${literal.negated ? 'not ' : ''}${literal.text}`;
  }
  const isAll = 'all' in condition;
  const word = isAll === negated ? 'any' : 'all';
  const children = isAll ? condition.all : condition.any;
  if (children.length === 0) return negated ? 'never' : 'always';
  const parts = new Set(children.flatMap((child) => canonicalParts(child, negated, word)));
  return parts.size === 1 ? [...parts].join() : `${word} ${hashCanonical([...parts].sort())}`;
}

/** The parts of a condition in a list. A nested list of the same kind becomes part of the outer list. */
function canonicalParts(condition: Condition, negated: boolean, word: 'all' | 'any'): string[] {
  if ('not' in condition) return canonicalParts(condition.not, !negated, word);
  if ('fact' in condition) return [canonical(condition, negated)];
  const isAll = 'all' in condition;
  const own = isAll === negated ? 'any' : 'all';
  const children = isAll ? condition.all : condition.any;
  if (children.length === 0 || own !== word) return [canonical(condition, negated)];
  return children.flatMap((child) => canonicalParts(child, negated, word));
}

/** A hash: the string stays short even when conditions nest deeply. */
function hashCanonical(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
