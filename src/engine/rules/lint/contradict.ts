import { areApart, isEmptyRange, isWithin } from './bounds';
import type { Literal } from './literal';
import { possibleValues, valuesToTry } from './valuesToTry';

/** Maximum number of literals and values to check. A contradiction among a part of the literals is still certain. */
const lookedAt = { literalsMax: 50, valuesMax: 1000 } as const;

/**
 * Whether no value can meet all literals. All of them must be about the same fact. True only when this is certain.
 */
export function contradict(all: readonly Literal[]): boolean {
  const literals = all.slice(0, lookedAt.literalsMax);
  const [first] = literals;
  const known = [first && possibleValues(first.ref), ...literals.map(valuesToTry)].filter(isShort);
  const isImpossible = (value: unknown) => literals.some((literal) => !literal.mayHold(value));
  return (
    known.some((values) => values?.every(isImpossible)) || hasOpposites(literals) || arePairwiseImpossible(literals)
  );
}

function isShort(values: readonly unknown[] | undefined): boolean {
  return values !== undefined && values.length <= lookedAt.valuesMax;
}

function arePairwiseImpossible(literals: readonly Literal[]): boolean {
  const positive = literals.filter(({ negated }) => !negated);
  return positive.some(
    (one, index) =>
      isEmptyRange(one) ||
      literals.some((other) => other.negated && implies(one, other)) ||
      positive.slice(index + 1).some((other) => excludes(one, other)),
  );
}

/** Whether a comparison occurs both plain and negated. */
function hasOpposites(literals: readonly Literal[]): boolean {
  return literals.some((one) => !one.negated && literals.some((other) => other.negated && other.text === one.text));
}

/** Whether every value that meets `one` meets the comparison of `other`. A negation of `other` is ignored. */
function implies(one: Literal, other: Literal): boolean {
  if (one.operator === 'startsWith' && other.operator === 'startsWith') return begins(one.value, other.value);
  return isWithin(one, other);
}

function excludes(one: Literal, other: Literal): boolean {
  if (one.operator === 'startsWith' && other.operator === 'startsWith') {
    return areTexts(one, other) && !begins(one.value, other.value) && !begins(other.value, one.value);
  }
  const pair = [one.operator, other.operator].sort().join();
  if (pair === 'contains,doesNotContain') return isScalar(one.value) && one.value === other.value;
  return areApart(one, other);
}

function begins(text: unknown, start: unknown): boolean {
  return typeof text === 'string' && typeof start === 'string' && text.startsWith(start);
}

function areTexts(one: Literal, other: Literal): boolean {
  return typeof one.value === 'string' && typeof other.value === 'string';
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object';
}
