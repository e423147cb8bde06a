import { germanNumber } from '#base/words/germanNumber';
import type { Amount } from '../../language/amount';
import { type Operand, splitComputation } from '../../language/computation';
import { isFactRef } from '../../language/factRef';
import { isAmount } from '../amountText';
import { germanFact } from './germanFact';
import { germanPoints, germanValue } from './germanValue';

/** An amount in German: `1,5 × Wert der Aktivität, abgerundet`. A value of an unknown form appears as JSON. */
export function germanAmount(value: unknown): string {
  return isAmount(value) ? amountPhrase(value) : germanValue(value);
}

/** The points of an action: `10 Punkte`, or `Punkte (1 × Wert der Aktivität)`. */
export function germanAwardedPoints(points: unknown): string {
  return typeof points === 'number' ? germanPoints(points) : `Punkte (${germanAmount(points)})`;
}

function amountPhrase(amount: Amount): string {
  if (typeof amount === 'number') return germanNumber(amount);
  const of = isFactRef(amount.of) ? germanFact(amount.of) : computation(amount.of);
  if ('every' in amount) {
    return `${germanNumber(amount.points)} je volle ${germanNumber(amount.every)} von ${of}${germanBounds(amount)}`;
  }
  const { times = 1 } = amount;
  const isWhole = Number.isInteger(times) && isFactRef(amount.of);
  const rounded = isWhole ? '' : `, ${roundings[amount.round ?? 'floor']}`;
  const factor = typeof times === 'object' ? `${germanFact(times)} × ` : `${germanNumber(times)} × `;
  return `${amount.times === undefined ? '' : factor}${of}${rounded}${germanBounds(amount)}`;
}

const roundings = { floor: 'abgerundet', ceil: 'aufgerundet', nearest: 'gerundet' };

function germanBounds({ min, max }: { min?: number; max?: number }): string {
  const least = min === undefined ? '' : `, mindestens ${germanNumber(min)}`;
  return `${least}${max === undefined ? '' : `, höchstens ${germanNumber(max)}`}`;
}

function computation(operand: Operand): string {
  if (typeof operand === 'number') return germanNumber(operand);
  if (isFactRef(operand)) return germanFact(operand);
  const { word, operands } = splitComputation(operand);
  const parts = operands.map(computation);
  const [a = '', b = ''] = parts;
  if (word === 'difference') return `Differenz von ${a} minus ${b}`;
  if (word === 'share') return `Anteil von ${a} an ${b}`;
  const name = computations.get(word);
  return name === undefined ? germanValue(operand) : `${name} von (${parts.join('; ')})`;
}

const computations: ReadonlyMap<string, string> = new Map([
  ['sum', 'Summe'],
  ['product', 'Produkt'],
  ['least', 'kleinster Wert'],
  ['greatest', 'größter Wert'],
]);
