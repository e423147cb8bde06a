import { type Operand, partsOf } from '../language/computation';
import { isFactRef } from '../language/factRef';
import { factPhrase } from './factPhrase';
import { valueText } from './valueText';

/** A computation in words: `the least of the activity's value and 1500`. */
export function computationPhrase(operand: Operand): string {
  if (typeof operand === 'number') return String(operand);
  if (isFactRef(operand)) return factPhrase(operand);
  const { word, operands } = partsOf(operand);
  const phrase = phrases.get(word);
  return phrase ? phrase(operands.map(computationPhrase)) : valueText(operand);
}

const phrases: ReadonlyMap<string, (operands: readonly string[]) => string> = new Map([
  ['sum', (all: readonly string[]) => `the sum of ${listed(all)}`],
  ['difference', ([a, b]: readonly string[]) => `the difference of ${a} less ${b}`],
  ['product', (all: readonly string[]) => `the product of ${listed(all)}`],
  ['least', (all: readonly string[]) => `the least of ${listed(all)}`],
  ['greatest', (all: readonly string[]) => `the greatest of ${listed(all)}`],
  ['share', ([a, b]: readonly string[]) => `the share of ${a} in ${b}`],
]);

function listed(all: readonly string[]): string {
  const inside = all.map((each) => (each.includes(' of ') && each.includes(' and ') ? `(${each})` : each));
  return `${inside.slice(0, -1).join(', ')} and ${inside.at(-1) ?? ''}`;
}
