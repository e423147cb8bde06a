import type { Amount } from '../language/amount';
import { isFactRef } from '../language/factRef';
import { computationPhrase } from './computationPhrase';
import { factPhrase } from './factPhrase';
import { valueText } from './valueText';

/** An amount in words: `10 points`, `1.5 × the activity's value, rounded down`, `10 for each full 25 of …`. */
function amountPhrase(amount: Amount): string {
  if (typeof amount === 'number') return String(amount);
  const of = isFactRef(amount.of) ? factPhrase(amount.of) : computationPhrase(amount.of);
  if ('every' in amount) return `${amount.points} for each full ${amount.every} of ${of}${boundsOf(amount)}`;
  const { times = 1 } = amount;
  const isWhole = Number.isInteger(times) && isFactRef(amount.of);
  const rounded = isWhole ? '' : `, rounded ${roundings[amount.round ?? 'floor']}`;
  const factor = typeof times === 'object' ? `${factPhrase(times)} × ` : `${times} × `;
  return `${amount.times === undefined ? '' : factor}${of}${rounded}${boundsOf(amount)}`;
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

function boundsOf({ min, max }: { min?: number; max?: number }): string {
  return `${min === undefined ? '' : `, at least ${min}`}${max === undefined ? '' : `, at most ${max}`}`;
}
