import Big from 'big.js';
import type { NamedLine } from '#activities/state/pipelineRequest';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { LineItem } from '#records/activities/activity';
import type { ActivityHistory } from '#records/activities/activityHistory';

/** The returned part of a line item, all returns together. */
export interface ReturnedLine {
  quantity: number;
  /** The returned share of its amount, in minor units, rounded towards zero. */
  value: number;
}

/** A line item of a history, with its returned quantity and value. */
export type StoredLine = ActivityHistory['lineItems'][number];

/** The quantity of a line that can be returned. A line with quantity 0 or none counts as 1. */
export function lineUnits({ quantity }: Pick<LineItem, 'quantity'>): number {
  return quantity || 1;
}

/** What earlier returns that named lines returned of each line. */
export function returnedBefore(lines: readonly StoredLine[]): ReturnedLine[] {
  return lines.map((line) => returnedLine(line, line.returnedQuantity ?? 0));
}

/** This quantity of a line, with its value. */
export function returnedLine(line: StoredLine, quantity: number): ReturnedLine {
  return { quantity, value: proportionalAmount(line, quantity) };
}

/**
 * What is returned of each line item in all, this return included. When several lines have a named product, the
 * quantity is taken from them in order.
 * @throws ServiceError 1200 when a line is unknown, or the quantity is more than is left
 */
export function returnedLines(lines: readonly StoredLine[], named: readonly NamedLine[]): ReturnedLine[] {
  const after = returnedBefore(lines);
  for (const [index, line] of named.entries()) returnNamed(lines, after, line, `lineItems.${index}`);
  return lines.map((line, index) => returnedLine(line, after[index]?.quantity ?? 0));
}

const nothing: ReturnedLine = { quantity: 0, value: 0 };

function returnNamed(lines: readonly StoredLine[], after: ReturnedLine[], named: NamedLine, path: string): void {
  const matching = lines.flatMap((line, index) => (isNamed(line, named) ? [index] : []));
  if (matching.length === 0) {
    const field = (['_id', 'itemSKU', 'productId'] as const).find((name) => named[name] !== undefined);
    throw invalidField(`${path}.${field}`, 'reference', message('returns.notOnLineItem'));
  }
  const leftOf = (index: number) => lineUnits(lines[index] ?? {}) - (after[index]?.quantity ?? 0);
  const left = matching.reduce((sum, index) => sum + leftOf(index), 0);
  const { quantity = left } = named;
  if (quantity > left || left === 0) {
    throw invalidField(`${path}.quantity`, 'maximum', message('returns.moreThanLeft', { left }));
  }
  let missing = quantity;
  for (const index of matching) {
    const units = Math.min(missing, leftOf(index));
    after[index] = { ...(after[index] ?? nothing), quantity: (after[index]?.quantity ?? 0) + units };
    missing -= units;
  }
}

function isNamed(line: StoredLine, { _id, itemSKU, productId }: NamedLine): boolean {
  return (
    (_id === undefined || line._id === _id) &&
    (itemSKU === undefined || line.itemSKU === itemSKU) &&
    (productId === undefined || productId.equals(line.productId))
  );
}

/** The value of the returned quantity. It is rounded once, on the total of all returns, towards zero. */
function proportionalAmount({ itemAmount = 0, ...line }: LineItem, quantity: number): number {
  return new Big(itemAmount).times(quantity).div(lineUnits(line)).round(0, Big.roundDown).toNumber();
}

/** True when every line is returned completely. */
export function areAllReturned(lines: readonly StoredLine[], returned: readonly ReturnedLine[]): boolean {
  return lines.every((line, index) => returned[index]?.quantity === lineUnits(line));
}
