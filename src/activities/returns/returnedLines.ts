import Big from 'big.js';
import { invalidField } from '../../common/errors';
import type { LineItem } from '../../records/activities/activity';
import type { ActivityHistory } from '../../records/activities/activityHistory';
import type { NamedLine } from '../state/pipelineRequest';

/** What came back of a line item so far. */
export interface ReturnedLine {
  quantity: number;
  /** In minor units: the share of its amount, rounded down. */
  value: number;
}

/** A line item of an activity with what came back of it before. */
export type StoredLine = ActivityHistory['lineItems'][number];

/** How much of a line there is to return; a line without a quantity, or with 0, is one thing. */
export function unitsOf({ quantity }: Pick<LineItem, 'quantity'>): number {
  return quantity || 1;
}

/** What came back of the lines of an activity before. */
export function returnedBefore(lines: readonly StoredLine[]): ReturnedLine[] {
  return lines.map(({ returnedQuantity = 0, returnedValue = 0 }) => ({
    quantity: returnedQuantity,
    value: returnedValue,
  }));
}

/**
 * What came back of each line item of an activity, with the lines that a return names. A SKU that stands on several
 * lines is taken from them in order.
 * @throws ServiceError 1200 when a line is not known, or more comes back than is left of it
 */
export function returnedLines(lines: readonly StoredLine[], named: readonly NamedLine[]): ReturnedLine[] {
  const after = returnedBefore(lines);
  for (const [index, line] of named.entries()) take(lines, after, line, `lineItems.${index}`);
  return lines.map((line, index) => {
    const { quantity } = after[index] ?? nothing;
    return { quantity, value: worthOf(line, quantity) };
  });
}

const nothing: ReturnedLine = { quantity: 0, value: 0 };

function take(lines: readonly StoredLine[], after: ReturnedLine[], named: NamedLine, path: string): void {
  const meant = lines.flatMap((line, index) => (isMeant(line, named) ? [index] : []));
  if (meant.length === 0) {
    const field = named._id === undefined ? 'itemSKU' : '_id';
    throw invalidField(`${path}.${field}`, 'reference', 'is not on a line item of the activity');
  }
  const leftOf = (index: number) => unitsOf(lines[index] ?? {}) - (after[index]?.quantity ?? 0);
  const left = meant.reduce((sum, index) => sum + leftOf(index), 0);
  const { quantity = left } = named;
  if (quantity > left || left === 0) {
    throw invalidField(`${path}.quantity`, 'maximum', `must be at most ${left}, which is left to return`);
  }
  let missing = quantity;
  for (const index of meant) {
    const units = Math.min(missing, leftOf(index));
    after[index] = { ...(after[index] ?? nothing), quantity: (after[index]?.quantity ?? 0) + units };
    missing -= units;
  }
}

function isMeant(line: StoredLine, { _id, itemSKU }: NamedLine): boolean {
  return (_id === undefined || line._id === _id) && (itemSKU === undefined || line.itemSKU === itemSKU);
}

/** Rounded once on the running total, towards zero. */
function worthOf({ itemAmount = 0, ...line }: LineItem, quantity: number): number {
  return new Big(itemAmount).times(quantity).div(unitsOf(line)).round(0, Big.roundDown).toNumber();
}

/** Every line is back. */
export function areAllBack(lines: readonly StoredLine[], returned: readonly ReturnedLine[]): boolean {
  return lines.every((line, index) => returned[index]?.quantity === unitsOf(line));
}
