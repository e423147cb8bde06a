import type { Amount } from '../language/amount';
import { factPhrase } from './factPhrase';

/** An amount in words: `10 points`, `1.5 × the activity's value, rounded down`, `10 for each full 25 of …`. */
export function amountPhrase(amount: Amount): string {
  if (typeof amount === 'number') return String(amount);
  const of = factPhrase(amount.of);
  if ('every' in amount) return `${amount.points} for each full ${amount.every} of ${of}${boundsOf(amount)}`;
  const rounded = Number.isInteger(amount.times) ? '' : `, rounded ${roundings[amount.round ?? 'floor']}`;
  return `${amount.times} × ${of}${rounded}${boundsOf(amount)}`;
}

/** A count with its noun: `1 point`, `2 points`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const roundings = { floor: 'down', ceil: 'up', nearest: 'to the nearest' };

function boundsOf({ min, max }: { min?: number; max?: number }): string {
  return `${min === undefined ? '' : `, at least ${min}`}${max === undefined ? '' : `, at most ${max}`}`;
}
