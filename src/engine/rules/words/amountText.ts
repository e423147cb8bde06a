import type { Amount } from '../language/amount';
import { type Operand, splitComputation } from '../language/computation';
import { isFactRef } from '../language/factRef';
import { factPhrase } from './factPhrase';
import { valueText } from './valueText';

/** A computation in words: `the least of the activity's value and 1500`. */
function computationPhrase(operand: Operand): string {
  if (typeof operand === 'number') return String(operand);
  if (isFactRef(operand)) return factPhrase(operand);
  const { word, operands } = splitComputation(operand);
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

/** An amount in words: `10 points`, `1.5 × the activity's value, rounded down`, `10 for each full 25 of …`. */
function amountPhrase(amount: Amount): string {
  if (typeof amount === 'number') return String(amount);
  const of = isFactRef(amount.of) ? factPhrase(amount.of) : computationPhrase(amount.of);
  if ('every' in amount) return `${amount.points} for each full ${amount.every} of ${of}${amountBounds(amount)}`;
  const { times = 1 } = amount;
  const isWhole = Number.isInteger(times) && isFactRef(amount.of);
  const rounded = isWhole ? '' : `, rounded ${roundings[amount.round ?? 'floor']}`;
  const factor = typeof times === 'object' ? `${factPhrase(times)} × ` : `${times} × `;
  return `${amount.times === undefined ? '' : factor}${of}${rounded}${amountBounds(amount)}`;
}

/** The points of an action in words: `10 points`, or `points, 1.5 × the activity's value,`. */
export function pointsText(points: unknown): string {
  return typeof points === 'number' ? plural(points, 'point') : `points, ${amountText(points)},`;
}

/** An amount in words. A value of an unknown form, from another version of the service, appears as JSON. */
export function amountText(value: unknown): string {
  return isAmount(value) ? amountPhrase(value) : valueText(value);
}

/** Tells whether a value is an amount of a form that this version knows. */
export function isAmount(value: unknown): value is Amount {
  if (typeof value !== 'object' || value === null) return typeof value === 'number';
  return 'of' in value && typeof value.of === 'object' && value.of !== null;
}

/** A count with its noun: `1 point`, `2 points`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const roundings = { floor: 'down', ceil: 'up', nearest: 'to the nearest' };

function amountBounds({ min, max }: { min?: number; max?: number }): string {
  return `${min === undefined ? '' : `, at least ${min}`}${max === undefined ? '' : `, at most ${max}`}`;
}
