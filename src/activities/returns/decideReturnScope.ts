import type { CancelRequest } from '#activities/state/pipelineRequest';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { proportion, type ReturnedShare } from '#engine/points/ledger/proportion';
import type { ActivityHistory } from '#records/activities/activityHistory';
import {
  areAllReturned,
  lineUnits,
  type ReturnedLine,
  returnedBefore,
  returnedLines,
  type StoredLine,
} from './returnedLines';

/** The part of an activity that one cancellation returns, and the totals with earlier returns. */
export interface ReturnScope extends ReturnedShare {
  /** Value that this cancellation returns, in minor units. */
  value: number;
  /** Value returned in all, this cancellation included. */
  returnedValue: number;
  /** The part of `returnedValue` from returns that named no lines. */
  returnedByValue: number;
  isWhole: boolean;
  /** True when this return names lines. */
  namesLines: boolean;
  /** For each line item, what is returned in all. */
  lines: readonly ReturnedLine[];
}

/** The fields of a history that decide how much can be returned. */
export type Sold = Pick<ActivityHistory, 'value' | 'lineItems' | 'returnedValue' | 'returnedByValue'>;

/**
 * How much a cancellation returns (docs/design/cancel.md): the lines and the value that it names, else everything that
 * is left.
 * @throws ServiceError 1200 when the request names more than is left, or an unknown line
 */
export function decideReturnScope(sold: Sold, request: Pick<CancelRequest, 'value' | 'lines'>): ReturnScope {
  return request.lines ? partByLines(sold, { ...request, lines: request.lines }) : partByValue(sold, request);
}

function partByValue(sold: Sold, request: Pick<CancelRequest, 'value'>): ReturnScope {
  const { returnedValue: before = 0, lineItems } = sold;
  const left = sold.value - before;
  const value = request.value ?? left;
  if (request.value !== undefined && value < 1) throw invalidField('value', 'minimum', message('schema.atLeastOne'));
  requireLeft(value, left);
  const returnedValue = before + value;
  const isWhole = request.value === undefined || returnedValue === sold.value;
  return {
    value,
    returnedValue,
    isWhole,
    namesLines: false,
    lines: returnedBefore(lineItems),
    returnedByValue: byValueBefore(sold) + value,
    returned: returnedValue,
    of: sold.value,
  };
}

function partByLines(sold: Sold, request: Required<Pick<CancelRequest, 'lines'>> & { value?: number }): ReturnScope {
  const { returnedValue: before = 0, lineItems } = sold;
  const left = sold.value - before;
  const lines = returnedLines(lineItems, request.lines);
  const worth = returnedWorth(sold, lines) - returnedWorth(sold, returnedBefore(lineItems));
  const value = request.value ?? Math.max(0, Math.min(worth, left));
  requireLeft(value, left);
  const returnedValue = before + value;
  const isWhole = sold.value > 0 ? returnedValue === sold.value : areAllReturned(lineItems, lines);
  const share = sold.value > 0 ? { returned: returnedValue, of: sold.value } : shareOfLines(lineItems, lines);
  return {
    value,
    returnedValue,
    returnedByValue: byValueBefore(sold),
    isWhole,
    namesLines: true,
    lines,
    ...(isWhole ? { returned: 1, of: 1 } : share),
  };
}

function requireLeft(value: number, left: number): void {
  if (value > left) throw invalidField('value', 'maximum', message('returns.moreThanLeft', { left }));
}

function sumReturnedValues(lines: readonly ReturnedLine[]): number {
  return lines.reduce((sum, { value }) => sum + value, 0);
}

/**
 * The share of the activity's value that returned lines have. After a discount, the lines may cost more than the value.
 * Each line then has its proportion of the value, so that a return of all lines returns the whole value.
 */
function returnedWorth({ value, lineItems }: Sold, lines: readonly ReturnedLine[]): number {
  const cost = lineItemsCost(lineItems);
  const worth = sumReturnedValues(lines);
  return cost > value ? proportion(value, { returned: worth, of: cost }) : worth;
}

/**
 * The value returned so far without naming lines. Older histories do not have the field: it is computed from their
 * lines.
 */
function byValueBefore({ returnedByValue, returnedValue = 0, lineItems }: Sold): number {
  return returnedByValue ?? Math.max(0, returnedValue - sumReturnedValues(returnedBefore(lineItems)));
}

function lineItemsCost(sold: readonly StoredLine[]): number {
  return sold.reduce((sum, { itemAmount = 0 }) => sum + Math.trunc(itemAmount), 0);
}

/** The returned share of an activity with value 0: by the amounts of its lines; if these are 0 too, by quantities. */
function shareOfLines(sold: readonly StoredLine[], lines: readonly ReturnedLine[]): ReturnedShare {
  const amount = lineItemsCost(sold);
  if (amount > 0) return { returned: Math.max(0, sumReturnedValues(lines)), of: amount };
  const units = sold.reduce((sum, line) => sum + lineUnits(line), 0);
  return { returned: lines.reduce((sum, { quantity }) => sum + quantity, 0), of: units };
}
